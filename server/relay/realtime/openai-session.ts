import { type JsonObject, numberOf, objectOf, textOf } from '#server/lib/json.ts'
import { refusal } from '#server/relay/refusals.ts'
import { prompts, voices } from '#server/relay/state/foreign-ids.ts'
import { unknown } from '#server/relay/state/resolve-state.ts'
import { frameLike, type SocketFrame } from './frames.ts'
import type { FrameDecision } from './session-meter.ts'

export interface RealtimeModels {
  /** As the client named it, and as the vendor knows it. */
  readonly asked: string
  readonly upstream: string
  /** Whether audio input may be transcribed by this model: it has a price, and the caller may use it. */
  mayTranscribe(model: string): boolean
}

const pcmBytesPerSecond = 48_000
const telephoneBytesPerSecond = 8000

/** The settings of a session that decide its price. */
interface SessionFacts {
  readonly inputBytesPerSecond: number
  readonly outputBytesPerSecond: number
  /** The model that transcribes audio input; null when none does. */
  readonly transcriber: string | null
}

export const newSession: SessionFacts = {
  inputBytesPerSecond: pcmBytesPerSecond,
  outputBytesPerSecond: pcmBytesPerSecond,
  transcriber: null,
}

/** The models that transcribe, wherever newer and older sessions name them. */
const transcribersIn = (session: JsonObject): string[] =>
  [objectOf(objectOf(session.audio)?.input)?.transcription, session.input_audio_transcription].flatMap(
    (transcription) => textOf(objectOf(transcription)?.model) ?? [],
  )

/** Sound is PCM at 24 kHz unless the session says that it is a telephone's. */
function bytesPerSecond(session: JsonObject, side: 'input' | 'output'): number | undefined {
  const format = objectOf(objectOf(session.audio)?.[side])?.format ?? session[`${side}_audio_format`]
  const name = textOf(objectOf(format)?.type) ?? textOf(format)
  if (name === undefined) return undefined
  if (/pcmu|pcma|g711/.test(name)) return telephoneBytesPerSecond
  const rate = numberOf(objectOf(format)?.rate)
  return rate && rate >= 8000 ? rate * 2 : pcmBytesPerSecond
}

/** The facts after a session was set anew. */
export const learned = (known: SessionFacts, session: JsonObject | undefined): SessionFacts =>
  session
    ? {
        inputBytesPerSecond: bytesPerSecond(session, 'input') ?? known.inputBytesPerSecond,
        outputBytesPerSecond: bytesPerSecond(session, 'output') ?? known.outputBytesPerSecond,
        transcriber: transcribersIn(session)[0] ?? known.transcriber,
      }
    : known

/** Why the settings are refused; null when they are not. */
export function refusedSession(session: JsonObject, models: RealtimeModels): FrameDecision | null {
  const spoken = textOf(session.model)
  if (spoken !== undefined && spoken !== models.asked && spoken !== models.upstream)
    return { refused: refusal('sessionModel', { model: spoken.slice(0, 60) }) }
  const [foreign] = [
    ...prompts(session.prompt),
    ...voices(session.voice, 'voice'),
    ...voices(objectOf(objectOf(session.audio)?.output)?.voice, 'audio.output.voice'),
  ]
  if (foreign) return { refused: unknown(foreign).fault }
  const writer = transcribersIn(session).find((model) => !models.mayTranscribe(model))
  if (writer !== undefined) return { refused: refusal('sessionTranscriber', { model: writer.slice(0, 60) }) }
  // With two models the vendor would choose one, and they may have different prices.
  const [model = '', other = model] = transcribersIn(session)
  return other === model ? null : { refused: refusal('sessionTranscribers', { model, other }) }
}

/** The frame with the vendor's own name of the model, where the client says another. */
export function withUpstreamModel(
  data: SocketFrame,
  event: JsonObject,
  { asked, upstream }: RealtimeModels,
): SocketFrame {
  const session = objectOf(event.session)
  if (asked === upstream || session?.model !== asked) return data
  return frameLike(data, JSON.stringify({ ...event, session: { ...session, model: upstream } }))
}
