import { expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { variables } from '#server/process/config.ts'

const root = join(import.meta.dirname, '..')
const text = (path: string) => readFileSync(join(root, path), 'utf8')

/** No container engine runs here: what can be said about these files without one is said. */
test('compose.yaml sets only variables the server knows, and both services have health checks', () => {
  const { services } = Bun.YAML.parse(text('compose.yaml')) as {
    services: Record<string, { environment: Record<string, string>; healthcheck?: object; read_only?: boolean }>
  }
  for (const name of Object.keys(services.switchyard?.environment ?? {})) expect(Object.keys(variables)).toContain(name)
  expect(services.switchyard?.read_only).toBeTrue()
  expect(services.database?.healthcheck).toBeDefined()
  expect(text('Dockerfile')).toContain('HEALTHCHECK')
})

test('the image is built from files that are there, and runs as nobody in particular', () => {
  const dockerfile = text('Dockerfile')
  const copied = [...dockerfile.matchAll(/^COPY (?!--)(.+) \S+$/gm)].flatMap(([, sources = '']) => sources.split(' '))
  expect(copied.length).toBeGreaterThan(5)
  const admitted = text('.dockerignore').split('\n')
  for (const source of copied) {
    expect(existsSync(join(root, source))).toBeTrue()
    expect(admitted).toContain(`!${source}`)
  }
  expect(dockerfile).toMatch(/^USER [1-9]\d*:[1-9]\d*$/m)
})

test('the workflows run the gate and scripts that exist', () => {
  const { scripts } = JSON.parse(text('package.json')) as { scripts: Record<string, string> }
  for (const file of ['ci.yml', 'release.yml']) {
    const source = text(`.github/workflows/${file}`)
    const { jobs } = Bun.YAML.parse(source) as { jobs: Record<string, { steps: { run?: string }[] }> }
    expect(jobs.gate?.steps.map(({ run }) => run)).toContain('.ci/run')
    for (const [, name = ''] of source.matchAll(/npm run (\w+)/g)) expect(Object.keys(scripts)).toContain(name)
  }
})

const analyze = Bun.which('systemd-analyze')

test.skipIf(analyze === null)('systemd finds nothing to complain about in the unit', async () => {
  const child = Bun.spawn([analyze ?? '', 'verify', '--man=no', join(root, 'deploy', 'switchyard.service')], {
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const complaints = (await new Response(child.stderr).text())
    .split('\n')
    // The executable is not installed where tests run.
    .filter((line) => line.includes('switchyard.service') && !line.includes('is not executable'))
  expect(complaints).toEqual([])
})
