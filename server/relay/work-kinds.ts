import { anthropicBatch } from './batches/anthropic-batches.ts'
import { geminiBatch } from './batches/gemini-batches.ts'
import { openaiBatch } from './batches/openai-batches.ts'
import type { WorkKind } from './long-work/work.ts'
import { geminiVideo } from './videos/gemini-video.ts'
import { openaiVideo } from './videos/openai-video.ts'

/** Every kind of long work. Adding one is one line. */
export const workKinds: Readonly<Record<string, WorkKind>> = {
  'openai-batch': openaiBatch,
  'anthropic-batch': anthropicBatch,
  'gemini-batch': geminiBatch,
  'openai-video': openaiVideo,
  'gemini-video': geminiVideo,
}
