import { arrayOf, type JsonObject, objectOf, textOf } from '#server/lib/json.ts'
import { plausibleSeconds } from '#server/relay/metering/plausible-usage.ts'
import { refusal } from '#server/relay/refusals.ts'
import { createConversation } from './conversation-size.ts'
import { decodedBytes, readFrame } from './frames.ts'
import { createEnds } from './openai-ends.ts'
import { learned, newSession, type RealtimeModels, refusedSession, withUpstreamModel } from './openai-session.ts'
import { realtimeUsage } from './openai-usage.ts'
import type { SessionMeter, Slice } from './session-meter.ts'

/** A token is a tenth of a second of audio input and a twentieth of a second of audio output. */
const rates = { audioInputPerSecond: 10, audioOutputPerSecond: 20, picture: 1000 }

const idIn = (event: JsonObject): string => textOf(event.response_id) ?? textOf(objectOf(event.response)?.id) ?? ''

/** The words and sounds of an answer that came in one piece. */
const saidIn = (response: JsonObject | undefined): unknown =>
  arrayOf(response?.output).flatMap((entry) => {
    const { content, arguments: given } = objectOf(entry) ?? {}
    const parts = arrayOf(content).map((part) => objectOf(part) ?? {})
    return [given, ...parts.map(({ text, transcript, audio }) => ({ text, transcript, audio }))]
  })

const transcribed = /^conversation\.item\.input_audio_transcription\.(delta|completed|failed)$/

const isSound = (type: string): boolean => /^response\.(output_)?audio\.delta$/.test(type)

/** Reads OpenAI's realtime events. */
export function createOpenaiMeter(models: RealtimeModels): SessionMeter {
  const talk = createConversation(rates)
  let session = newSession
  /** Bytes of audio input that are not transcribed yet. */
  let unwritten = 0
  /** Items that are being transcribed. */
  const writing = new Set<string>()
  const ends = createEnds()

  const ended = (event: JsonObject): Slice[] => {
    const id = idIn(event)
    const response = objectOf(event.response)
    const reported = realtimeUsage(objectOf(response?.usage))
    if (talk.seen(id).output === 0) talk.answer(id).all(saidIn(response), session.outputBytesPerSecond)
    const seen = talk.seen(id)
    const usage = reported ?? (seen.output > 0 ? seen : null)
    talk.ended(id, usage)
    if (!usage || ends.isAnswerRepeated(id)) return []
    return [{ model: null, consumption: { by: 'tokens', usage, counted: !reported } }]
  }
  const written = (report: JsonObject | undefined): Slice[] => {
    const seconds = plausibleSeconds(report?.seconds) || unwritten / session.inputBytesPerSecond
    unwritten = 0
    const { transcriber: model } = session
    const usage = realtimeUsage(report)
    if (usage) return [{ model, consumption: { by: 'tokens', usage, counted: false, seconds } }]
    return seconds > 0 ? [{ model, consumption: { by: 'seconds', seconds } }] : []
  }
  const transcription = (event: JsonObject, stage: string): Slice[] => {
    const item = textOf(event.item_id) ?? ''
    const part = item && `${item} ${event.content_index ?? 0}`
    if (stage === 'delta') writing.add(part)
    else writing.delete(part)
    return stage === 'completed' && !ends.isTranscriptRepeated(part) ? written(objectOf(event.usage)) : []
  }
  const listen = (event: JsonObject) => {
    if (event.type === 'input_audio_buffer.append') {
      const bytes = decodedBytes(event.audio)
      unwritten += bytes
      talk.asked().sound(bytes, session.inputBytesPerSecond)
      return
    }
    const set = objectOf(event.session)
    if (set) {
      session = learned(session, set)
      talk.preface().all([set.instructions, set.tools], session.inputBytesPerSecond)
      return
    }
    const { type: _, event_id: __, ...content } = event
    talk.asked().all(content, session.inputBytesPerSecond)
  }

  return {
    stop: '{"type":"response.cancel"}',
    encodeFault: ({ type, code, message }) =>
      JSON.stringify({ type: 'error', error: { type, code: code ?? null, message, param: null, event_id: null } }),
    fromClient(data) {
      const event = readFrame(data)
      if (!event) return { refused: refusal('notJson') }
      for (const set of [objectOf(event.session), objectOf(event.response)]) {
        const wrong = set && refusedSession(set, models)
        if (wrong) return wrong
      }
      listen(event)
      ends.fromClient(event.type)
      return { pass: withUpstreamModel(data, event, models) }
    },
    fromVendor(data) {
      const event = readFrame(data)
      const type = textOf(event?.type) ?? ''
      if (!event) return []
      ends.fromVendor(type, idIn(event))
      const [, stage] = transcribed.exec(type) ?? []
      if (stage) return transcription(event, stage)
      if (/^(transcription_)?session\./.test(type)) session = learned(session, objectOf(event.session))
      else if (type === 'response.created') talk.answer(idIn(event))
      else if (type === 'response.done') return ended(event)
      else if (isSound(type)) talk.answer(idIn(event)).sound(decodedBytes(event.delta), session.outputBytesPerSecond)
      else if (type.startsWith('response.') && type.endsWith('.delta'))
        talk.answer(idIn(event)).text(textOf(event.delta) ?? '')
      return []
    },
    underWay: talk.underWay,
    isAnswering: () => talk.isAnswering() || writing.size > 0,
    takeUnreported() {
      const isWritten = writing.size > 0
      writing.clear()
      return isWritten ? written(undefined) : []
    },
  }
}
