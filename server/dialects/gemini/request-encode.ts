import type { AssistantPart, ChatRequest, Effort, Message, UserPart } from '#server/dialects/chat.ts'
import type { Json } from '#server/dialects/dialect.ts'
import { namesOfCalls, plainText } from '#server/dialects/prompt-parts.ts'
import { untag } from '#server/dialects/signature.ts'
import { mergeTurns, splitSystem } from '#server/dialects/turns.ts'
import { compact, parseObject } from '#server/lib/json.ts'
import { encodeMedia } from './media.ts'
import { encodeToolChoice, encodeTools } from './tools.ts'

function encodeUserPart(part: UserPart): Json[] {
  if (part.type !== 'text') return [encodeMedia(part)]
  return part.text === '' ? [] : [{ text: part.text }]
}

function encodeModelPart(part: AssistantPart): Json[] {
  switch (part.type) {
    case 'text':
    case 'refusal':
      return part.text === '' ? [] : [{ text: part.text }]
    case 'reasoning': {
      const thoughtSignature = untag('gemini', part.signature)
      const proof = thoughtSignature === undefined ? {} : { thoughtSignature }
      if (part.text !== '') return [{ text: part.text, thought: true, ...proof }]
      return thoughtSignature === undefined ? [] : [{ text: '', ...proof }]
    }
    case 'tool-call': {
      const call = { id: part.id, name: part.name, args: parseObject(part.arguments) as Json }
      return [{ functionCall: call, ...(part.signature === undefined ? {} : { thoughtSignature: part.signature }) }]
    }
    case 'image':
      return [encodeMedia(part)]
  }
}

function encodeResult(message: Extract<Message, { role: 'tool' }>, names: ReadonlyMap<string, string>): Json[] {
  const text = plainText(message.parts)
  const name = names.get(message.callId) ?? message.name ?? ''
  const response: Json = message.isError ? { error: text } : { output: text }
  const media = message.parts.flatMap((part) => (part.type === 'text' ? [] : [encodeMedia(part)]))
  return [{ functionResponse: { id: message.callId, name, response } }, ...media]
}

function encodeContents(turns: ReturnType<typeof splitSystem>['turns'], names: ReadonlyMap<string, string>): Json {
  const contents = turns.map((turn) => {
    if (turn.role === 'assistant') return { role: 'model', items: turn.parts.flatMap(encodeModelPart) }
    if (turn.role === 'tool') return { role: 'user', items: encodeResult(turn, names) }
    return { role: 'user', items: turn.parts.flatMap(encodeUserPart) }
  })
  return mergeTurns(contents).map(({ role, items }) => ({ role, parts: items }))
}

const levels: Record<Effort, string> = {
  none: 'MINIMAL',
  minimal: 'MINIMAL',
  low: 'LOW',
  medium: 'MEDIUM',
  high: 'HIGH',
  xhigh: 'HIGH',
  max: 'HIGH',
}

function encodeThinking(reasoning: ChatRequest['reasoning']): Json | undefined {
  if (!reasoning) return undefined
  const { effort, budgetTokens, show } = reasoning
  const isOff = effort === 'none' || budgetTokens === 0
  return compact({
    includeThoughts: isOff ? undefined : (show ?? true),
    thinkingBudget: budgetTokens,
    thinkingLevel: budgetTokens === undefined && effort !== undefined ? levels[effort] : undefined,
  })
}

function encodeSettings(request: ChatRequest): Json | undefined {
  const { responseFormat, logprobs, stop } = request
  const isJson = responseFormat !== undefined && responseFormat.type !== 'text'
  const schema = responseFormat?.type === 'json-schema' ? responseFormat.schema : undefined
  const settings = compact({
    maxOutputTokens: request.maxOutputTokens,
    temperature: request.temperature,
    topP: request.topP,
    topK: request.topK,
    stopSequences: stop?.length ? [...stop] : undefined,
    seed: request.seed,
    presencePenalty: request.presencePenalty,
    frequencyPenalty: request.frequencyPenalty,
    candidateCount: request.n,
    responseMimeType: isJson ? 'application/json' : undefined,
    responseJsonSchema: schema as Json | undefined,
    thinkingConfig: encodeThinking(request.reasoning),
    responseLogprobs: logprobs ? true : undefined,
    logprobs: logprobs?.top,
  })
  return Object.keys(settings).length === 0 ? undefined : settings
}

/** The body alone: the model and whether to stream are part of the address. */
export function encodeRequest(request: ChatRequest): Json {
  const { system, turns } = splitSystem(request.messages)
  const { tools, toolChoice } = request
  const hasTools = tools !== undefined && tools.length > 0
  return compact({
    contents: encodeContents(turns, namesOfCalls(request.messages)),
    systemInstruction: system.length === 0 ? undefined : { parts: system.map((part) => ({ text: part.text })) },
    tools: hasTools ? encodeTools(tools) : undefined,
    toolConfig: hasTools && toolChoice !== undefined ? encodeToolChoice(toolChoice) : undefined,
    generationConfig: encodeSettings(request),
  })
}
