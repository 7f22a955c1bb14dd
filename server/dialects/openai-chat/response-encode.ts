import { encodeChatCitation } from '#server/dialects/beside-text/citations.ts'
import { encodeLogprobs } from '#server/dialects/beside-text/logprobs.ts'
import type { ChatEvent, ChatRequest, ToolCallPart } from '#server/dialects/chat.ts'
import { type Choice, collectAnswer } from '#server/dialects/collected-answer.ts'
import type { Json } from '#server/dialects/dialect.ts'
import { openaiFinish } from '#server/dialects/finish-reasons.ts'
import { prefixedId } from '#server/dialects/prefixed-id.ts'
import { imageUrls, toolCalls } from '#server/dialects/prompt-parts.ts'
import { textOfArguments } from '#server/dialects/tools/text-tool.ts'
import { encodeReasoning } from './reasoning.ts'
import { encodeImage, encodeToolCall } from './request-encode.ts'
import { encodeUsage } from './usage.ts'

function joined(choice: Choice, type: 'text' | 'refusal'): string | null {
  const texts = choice.parts.flatMap((part) => (part.type === type ? [part.text] : []))
  return texts.length === 0 ? null : texts.join('')
}

function encodeCall(call: ToolCallPart, tools: ChatRequest['tools']): Json {
  if (!tools?.some((tool) => tool.takesText && tool.name === call.name)) return encodeToolCall(call, true, false)
  return { id: call.id, type: 'custom', custom: { name: call.name, input: textOfArguments(call.arguments) } }
}

function encodeChoice(choice: Choice, index: number, tools: ChatRequest['tools']): Json {
  const calls = toolCalls(choice.parts)
  const images = imageUrls(choice.parts)
  const { citations, logprobs } = choice
  return {
    index,
    message: {
      role: 'assistant',
      content: joined(choice, 'text'),
      refusal: joined(choice, 'refusal'),
      ...encodeReasoning(choice.parts),
      ...(images.length === 0 ? {} : { images: images.map(encodeImage) }),
      ...(citations ? { annotations: citations.map(encodeChatCitation) } : {}),
      ...(calls.length === 0 ? {} : { tool_calls: calls.map((call) => encodeCall(call, tools)) }),
    },
    logprobs: logprobs ? { content: encodeLogprobs(logprobs), refusal: null } : null,
    finish_reason: choice.finish === undefined ? null : openaiFinish[choice.finish],
  }
}

export function encodeResponse(events: readonly ChatEvent[], request: ChatRequest): Json {
  const answer = collectAnswer(events)
  return {
    id: prefixedId('chatcmpl-', answer.id),
    object: 'chat.completion',
    created: answer.created ?? 0,
    model: answer.model ?? request.model,
    choices: answer.choices.map((choice, index) => encodeChoice(choice, index, request.tools)),
    ...(answer.usage === undefined ? {} : { usage: encodeUsage(answer.usage) }),
  }
}
