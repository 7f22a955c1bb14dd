import type { Program } from '#server/import/program.ts'
import { ImportRefused } from '#server/import/source/source.ts'

export const oneHub: Program = {
  name: 'one-hub',
  title: 'one-hub',
  marks: ['prices.channel_type', 'user_groups.symbol'],
  needs: {},
  read() {
    throw new ImportRefused('This is a one-hub database, which this version does not read yet. Nothing was written.')
  },
}
