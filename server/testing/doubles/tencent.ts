import { arrayOf, type JsonObject, objectOf, textOf } from '#server/lib/json.ts'
import { tc3Authorization } from '#server/providers/tencent/signing.ts'
import type { Protocol, SeenRequest } from './double.ts'
import { events } from './respond.ts'
import { type Asked, doubleUsage, doubleVector, type Reply, replyTo } from './script.ts'

const [secretId, secretKey] = ['AKIDdouble', 'double-secret-key']
const validFor = 300

const Usage = {
  PromptTokens: doubleUsage.input,
  CompletionTokens: doubleUsage.output,
  TotalTokens: doubleUsage.input + doubleUsage.output,
}

const codes: Record<number, string> = {
  400: 'InvalidParameterValue',
  401: 'AuthFailure.SecretIdNotFound',
  429: 'RequestLimitExceeded',
}

/** Errors come with HTTP 200. */
function refused(Code: string, Message: string): Response {
  return Response.json({ Response: { Error: { Code, Message }, RequestId: 'r' } })
}

/** The proof, recomputed from what really arrived. */
function isSigned(request: SeenRequest): boolean {
  const timestamp = Number(request.headers['x-tc-timestamp'])
  const expected = tc3Authorization({
    secretId,
    secretKey,
    host: request.headers.host ?? '',
    service: 'hunyuan',
    action: request.headers['x-tc-action'] ?? '',
    body: request.text,
    timestamp,
  })
  const isFresh = Math.abs(Date.now() / 1000 - timestamp) < validFor
  return isFresh && request.headers['content-type'] === 'application/json' && request.headers.authorization === expected
}

function askedIn(body: JsonObject): Asked {
  const messages = arrayOf(body.Messages).map((message) => objectOf(message) ?? {})
  const partsOf = (message: JsonObject) => arrayOf(message.Contents).map((part) => objectOf(part) ?? {})
  const words = (message: JsonObject) =>
    textOf(message.Content) ??
    partsOf(message)
      .map((part) => textOf(part.Text) ?? '')
      .join('')
  const said = (role: string) => messages.filter((message) => message.Role === role).map(words)
  return {
    model: textOf(body.Model) ?? '',
    stream: body.Stream === true,
    text: said('user').at(-1) ?? '',
    tools: arrayOf(body.Tools).flatMap((tool) => textOf(objectOf(objectOf(tool)?.Function)?.Name) ?? []),
    toolResults: said('tool'),
    sawImage: messages.flatMap(partsOf).some((part) => part.Type === 'image_url'),
  }
}

function messagesOf(reply: Exclude<Reply, { kind: 'error' }>): JsonObject[] {
  if (reply.kind === 'text') return reply.pieces.map((Content) => ({ Role: 'assistant', Content }))
  const called = { Name: reply.name, Arguments: JSON.stringify(reply.arguments) }
  return [
    { Role: 'assistant', Content: '', ToolCalls: [{ Id: reply.id, Type: 'function', Index: 0, Function: called }] },
  ]
}

function answerChat(request: SeenRequest): Response {
  const asked = askedIn(request.body)
  const reply = replyTo(asked)
  if (reply.kind === 'error') return refused(codes[reply.status] ?? 'InternalError', reply.message)
  const finish = reply.kind === 'call' ? 'tool_calls' : 'stop'
  const messages = messagesOf(reply)
  const base = { Id: 'double', Created: 1, Usage }
  if (asked.stream) {
    const chunks = messages.map((Delta, index) => ({
      ...base,
      Choices: [{ Index: 0, Delta, FinishReason: index === messages.length - 1 ? finish : '' }],
    }))
    return events(chunks.map((data) => ({ data })))
  }
  const Content = messages.map((message) => textOf(message.Content) ?? '').join('')
  const Choices = [{ Index: 0, FinishReason: finish, Message: { ...messages[0], Content } }]
  return Response.json({ Response: { ...base, Choices, RequestId: 'r' } })
}

export const tencentDouble: Protocol = {
  key: `1250000000|${secretId}|${secretKey}`,
  answer(request) {
    if (!isSigned(request))
      return refused('AuthFailure.SignatureFailure', 'The provided credentials could not be validated.')
    if (request.headers['x-tc-action'] !== 'GetEmbedding') return answerChat(request)
    const Data = arrayOf(request.body.InputList).map((_, Index) => ({
      Embedding: doubleVector,
      Index,
      Object: 'embedding',
    }))
    return Response.json({
      Response: { Data, Usage: { PromptTokens: doubleUsage.input, TotalTokens: doubleUsage.input } },
    })
  },
}
