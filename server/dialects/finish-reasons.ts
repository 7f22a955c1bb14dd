import { words } from '#server/lib/words.ts'
import type { FinishReason } from './chat.ts'

const fromOpenai = words<FinishReason>({
  stop: 'stop',
  length: 'length',
  tool_calls: 'tool-calls',
  function_call: 'tool-calls',
  content_filter: 'content-filter',
  sensitive: 'content-filter',
  model_context_window_exceeded: 'length',
  model_length: 'length',
})

const fromAnthropic = words<FinishReason>({
  end_turn: 'stop',
  stop_sequence: 'stop',
  pause_turn: 'stop',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  compaction: 'length',
  tool_use: 'tool-calls',
  refusal: 'content-filter',
})

const fromGemini = words<FinishReason>({
  STOP: 'stop',
  FINISH_REASON_UNSPECIFIED: 'stop',
  MALFORMED_FUNCTION_CALL: 'stop',
  UNEXPECTED_TOOL_CALL: 'stop',
  TOO_MANY_TOOL_CALLS: 'stop',
  MAX_TOKENS: 'length',
  SAFETY: 'content-filter',
  RECITATION: 'content-filter',
  LANGUAGE: 'content-filter',
  OTHER: 'content-filter',
  BLOCKLIST: 'content-filter',
  PROHIBITED_CONTENT: 'content-filter',
  SPII: 'content-filter',
  IMAGE_SAFETY: 'content-filter',
  IMAGE_PROHIBITED_CONTENT: 'content-filter',
  IMAGE_RECITATION: 'content-filter',
  IMAGE_OTHER: 'content-filter',
  NO_IMAGE: 'content-filter',
})

const tables = { openai: fromOpenai, anthropic: fromAnthropic, gemini: fromGemini }

/** The reason a word of a vocabulary means; a word nobody knows is an ordinary stop. With calls made, a stop is for them. */
export function finishReasonOf(vocabulary: keyof typeof tables, word: string, madeCalls: boolean): FinishReason {
  const reason = tables[vocabulary][word] ?? 'stop'
  return reason === 'stop' && madeCalls ? 'tool-calls' : reason
}

export const openaiFinish: Record<FinishReason, string> = {
  stop: 'stop',
  length: 'length',
  'tool-calls': 'tool_calls',
  'content-filter': 'content_filter',
}

export const anthropicFinish: Record<FinishReason, string> = {
  stop: 'end_turn',
  length: 'max_tokens',
  'tool-calls': 'tool_use',
  'content-filter': 'refusal',
}

export const geminiFinish: Record<FinishReason, string> = {
  stop: 'STOP',
  length: 'MAX_TOKENS',
  'tool-calls': 'STOP',
  'content-filter': 'SAFETY',
}
