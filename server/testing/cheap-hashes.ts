import { allowCheapHashes } from '#server/lib/passwords.ts'

allowCheapHashes()
