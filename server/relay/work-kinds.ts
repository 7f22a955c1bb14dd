import { anthropicBatch } from './batches/anthropic-batches.ts'
import { geminiBatch } from './batches/gemini-batches.ts'
import { openaiBatch } from './batches/openai-batches.ts'
import type { WorkKind } from './long-work/work.ts'
import { geminiVideo } from './videos/gemini-video.ts'
import { openaiVideo } from './videos/openai-video.ts'

/** Every kind of long work. Adding one is one line. */
const all: readonly WorkKind[] = [openaiBatch, anthropicBatch, geminiBatch, openaiVideo, geminiVideo]

export const workKinds: ReadonlyMap<string, WorkKind> = new Map(all.map((kind) => [kind.name, kind]))
