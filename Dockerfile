# syntax=docker/dockerfile:1

FROM node:24-slim AS build
WORKDIR /src
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json vite.config.ts ./
COPY scripts ./scripts
COPY shared ./shared
COPY server ./server
COPY web ./web
RUN npm run build && mkdir /data

FROM debian:12-slim
LABEL org.opencontainers.image.title="Switchyard" \
      org.opencontainers.image.description="An AI-model API relay with its console" \
      org.opencontainers.image.licenses="MIT"
COPY --from=build /src/dist/switchyard /usr/local/bin/switchyard
# The number is nobody in particular; a volume mounted here belongs to it.
COPY --from=build --chown=10001:10001 /data /data
USER 10001:10001
ENV DATA_DIR=/data
WORKDIR /data
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=6s --start-period=20s --retries=3 CMD ["switchyard", "health"]
ENTRYPOINT ["switchyard"]
CMD ["serve"]
