import type { Program } from '#server/import/program.ts'
import { ImportRefused } from '#server/import/source/source.ts'

export const newApi: Program = {
  name: 'new-api',
  title: 'new-api',
  marks: ['tokens.model_limits', 'tokens.allow_ips', 'channels.auto_ban', 'channels.channel_info'],
  needs: {},
  read() {
    throw new ImportRefused('This is a new-api database, which this version does not read yet. Nothing was written.')
  },
}
