import { type Ask, bodyOf } from '#server/relay/request/ask.ts'
import { type AskedExtras, noExtras } from './asked-extras.ts'
import { toolsIn } from './brought-tools.ts'
import { recordedSeconds } from './fixed-ceiling.ts'
import { type InputSize, measureInput, sizeOf } from './input-size.ts'
import type { Measured } from './offer.ts'

const writesDown: ReadonlySet<string> = new Set(['transcriptions', 'translations'])

/** Answers in sound, in OpenAI's words or in Gemini's, which takes the number of its word as well. */
const inSound = /audio|speech_?config|response_?modalities":\[?["\w,]*\b3\b/i

/** Answers in sound where the client asks for them. */
function speaks({ payload }: Ask): boolean {
  if (payload.kind !== 'json') return false
  const { modalities, generationConfig, generation_config } = payload.body
  if (modalities == null && generationConfig == null && generation_config == null) return false
  return inSound.test(JSON.stringify([modalities, generationConfig, generation_config]))
}

/** An answer may be foretold: what of it does not come true is paid as if it had been written. */
function predicted({ payload }: Ask): number {
  if (payload.kind !== 'json' || payload.body.prediction == null) return 0
  return sizeOf({ prediction: payload.body.prediction }).tokens
}

/** What is priced by something else than what it says. */
export const unmeasured = (ask: Ask): Measured => ({
  ask,
  extras: noExtras,
  size: { tokens: 0, guessed: 0, pictures: 0, sound: 0, isOpen: false, writesCache: false },
  recording: 0,
  speaks: false,
  predicted: 0,
  tools: [],
})

/** All that can be said of a request's price before anybody answers it. */
export function measure(ask: Ask, extras: AskedExtras): Measured | Promise<Measured> {
  const size = measureInput(ask)
  const isRecording = writesDown.has(ask.entrance.door.operation)
  if (size instanceof Promise || isRecording) return measureFiles(ask, extras, size, isRecording)
  const tools = toolsIn(bodyOf(ask))
  return { ask, extras, size, recording: 0, speaks: speaks(ask), predicted: predicted(ask), tools }
}

async function measureFiles(
  ask: Ask,
  extras: AskedExtras,
  size: InputSize | Promise<InputSize>,
  isRecording: boolean,
): Promise<Measured> {
  return {
    ask,
    extras,
    size: await size,
    recording: isRecording ? await recordedSeconds(ask) : 0,
    speaks: speaks(ask),
    predicted: predicted(ask),
    tools: toolsIn(bodyOf(ask)),
  }
}
