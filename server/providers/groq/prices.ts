import { type PriceList, p, perCharacters, perSecond } from '#server/providers/list-price.ts'

/** Groq, USD per million tokens. */
// biome-ignore format: one line per model
export const groqPrices = {
  'llama-3.1-8b-instant': p(0.05, 0.08),
  'llama-3.3-70b-versatile': p(0.59, 0.79),
  'meta-llama/llama-guard-4-12b': p(0.2, 0.2),
  'meta-llama/llama-4-maverick-17b-128e-instruct': p(0.2, 0.6),
  'meta-llama/llama-4-scout-17b-16e-instruct': p(0.11, 0.34),
  'moonshotai/kimi-k2-instruct-0905': p(1, 3, { cacheRead: 0.5 }),
  'openai/gpt-oss-120b': p(0.15, 0.6, { cacheRead: 0.075 }),
  'openai/gpt-oss-20b': p(0.075, 0.3, { cacheRead: 0.0375 }),
  'openai/gpt-oss-safeguard-20b': p(0.075, 0.3, { cacheRead: 0.037 }),
  'qwen/qwen3-32b': p(0.29, 0.59),
  'playai-tts': perCharacters(50),
  'whisper-large-v3': perSecond(0.00003083),
  'whisper-large-v3-turbo': perSecond(0.00001111),
  'gemma2-9b-it': p(0.2, 0.2),
  'gemma-7b-it': p(0.07, 0.07),
  'mixtral-8x7b-32768': p(0.24, 0.24),
  'llama-3.1-70b-versatile': p(0.59, 0.79),
  'llama3-70b-8192': p(0.59, 0.79),
  'llama3-8b-8192': p(0.05, 0.08),
  'llama-3.2-90b-text-preview': p(0.9, 0.9),
  'llama-3.2-11b-vision-preview': p(0.18, 0.18),
  'llama-3.2-3b-preview': p(0.06, 0.06),
  'llama-3.2-1b-preview': p(0.04, 0.04),
  'llama-guard-3-8b': p(0.2, 0.2),
  'llama2-70b-4096': p(0.7, 0.8),
  'llama2-7b-2048': p(0.1, 0.1),
} satisfies PriceList
