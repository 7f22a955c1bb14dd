import { arrayOf, type JsonObject, objectOf, textOf } from '#server/lib/json.ts'
import { refusal } from '#server/relay/refusals.ts'
import { inGoogleTools } from '#server/relay/state/foreign-ids.ts'
import { unknown } from '#server/relay/state/resolve-state.ts'
import { createConversation, type Said } from './conversation-size.ts'
import { decodedBytes, readFrame } from './frames.ts'
import { liveUsage } from './gemini-usage.ts'
import type { SessionMeter } from './session-meter.ts'

const rates = { audioInputPerSecond: 32, audioOutputPerSecond: 25, picture: 258 }
const inputBytesPerSecond = 32_000
const outputBytesPerSecond = 48_000

/** Only one turn is answered at a time. */
const turn = ''

function addBlob(said: Said, blob: JsonObject | undefined, bytesPerSecond: number): void {
  if (!blob) return
  const kind = textOf(blob.mimeType) ?? textOf(blob.mime_type) ?? ''
  if (/^(image|video)\//.test(kind)) said.picture()
  else said.sound(decodedBytes(blob.data), bytesPerSecond)
}

function addParts(said: Said, parts: unknown, bytesPerSecond: number): void {
  for (const entry of arrayOf(parts)) {
    const part = objectOf(entry) ?? {}
    const blob = objectOf(part.inlineData) ?? objectOf(part.inline_data)
    if (blob) addBlob(said, blob, bytesPerSecond)
    else said.all(part, bytesPerSecond)
  }
}

/** What a message of the client adds to its next question. */
function addAsked(said: Said, message: JsonObject): void {
  const input = objectOf(message.realtimeInput) ?? objectOf(message.realtime_input)
  const content = objectOf(message.clientContent) ?? objectOf(message.client_content)
  const blobs = [...arrayOf(input?.mediaChunks ?? input?.media_chunks), input?.audio, input?.video]
  for (const blob of blobs) addBlob(said, objectOf(blob), inputBytesPerSecond)
  said.text(textOf(input?.text) ?? '')
  for (const entry of arrayOf(content?.turns)) addParts(said, objectOf(entry)?.parts, inputBytesPerSecond)
  said.all(message.toolResponse ?? message.tool_response ?? '', inputBytesPerSecond)
}

/** Reads the messages of Gemini Live. Every usage report is about one turn; `resumable` is called with each new handle. */
export function createGeminiMeter(resumable: (handle: string) => void): SessionMeter {
  const talk = createConversation(rates)
  let searches = 0
  let isSetUp = false
  /** The last report, as long as neither side has said anything since. */
  let paid = ''

  const answered = (message: JsonObject) => {
    const content = objectOf(message.serverContent)
    const parts = objectOf(content?.modelTurn)?.parts
    const transcript = textOf(objectOf(content?.outputTranscription)?.text)
    if (parts !== undefined) addParts(talk.answer(turn), parts, outputBytesPerSecond)
    if (transcript !== undefined) talk.answer(turn).text(transcript)
    if (message.toolCall !== undefined) talk.answer(turn).all(message.toolCall, outputBytesPerSecond)
    searches += arrayOf(objectOf(content?.groundingMetadata)?.webSearchQueries).length
  }

  return {
    stop: null,
    encodeFault: () => null,
    fromClient(data) {
      const message = readFrame(data)
      if (!message) return { refused: refusal('notJson') }
      // Files cannot be checked for their owner within a running session.
      const { realtimeInput: _, realtime_input: __, ...said } = message
      if (/"file_?(?:data|uri)"/i.test(JSON.stringify(said)))
        return { refused: refusal('stateUnknown', { param: 'fileData', id: 'the file' }) }
      const setup = objectOf(message.setup)
      const [foreign] = inGoogleTools(setup?.tools)
      if (foreign) return { refused: unknown(foreign).fault }
      if (setup && isSetUp) return { refused: refusal('sessionModel', { model: textOf(setup.model) ?? '' }) }
      if (setup) {
        isSetUp = true
        const before = [setup.systemInstruction ?? setup.system_instruction, setup.tools]
        talk.preface().all(before, inputBytesPerSecond)
      }
      addAsked(talk.asked(), message)
      paid = ''
      return { pass: data }
    },
    fromVendor(data) {
      const message = readFrame(data)
      if (!message) return []
      answered(message)
      if (talk.isAnswering()) paid = ''
      const handle = textOf(objectOf(message.sessionResumptionUpdate)?.newHandle)
      if (handle) resumable(handle)
      const reported = liveUsage(objectOf(message.usageMetadata))
      if (!reported) return []
      const report = JSON.stringify(message.usageMetadata)
      if (report === paid) return []
      paid = report
      const usage = searches > 0 ? { ...reported, webSearch: searches } : reported
      searches = 0
      talk.ended(turn, reported)
      return [{ model: null, consumption: { by: 'tokens', usage, counted: false } }]
    },
    underWay: talk.underWay,
    isAnswering: talk.isAnswering,
    takeUnreported: () => [],
  }
}
