import { faultOfKind } from '#server/dialects/fault.ts'
import { carriedBetas } from '#server/providers/anthropic/carried-betas.ts'
import { withinClaude } from '#server/providers/anthropic/models.ts'
import { pathSegment } from '#server/providers/endpoint.ts'
import { ownAnthropicThoughts } from '#server/providers/foreign-signatures.ts'
import { withFormInWords } from '#server/providers/form-in-words.ts'
import { inlineMedia } from '#server/providers/inline-media.ts'
import {
  type Body,
  type Provider,
  type Target,
  type Tools,
  type UpstreamCall,
  UpstreamFault,
  type VendorRequest,
} from '#server/providers/provider.ts'
import { converse } from './converse.ts'
import { isClaude } from './converse-encode.ts'
import { invoke } from './invoke.ts'
import { signedHeaders } from './signing.ts'

/** Clients of the messages format reach Claude in its own words. */
const isInvoked = (target: Target): boolean => target.clientDialect === 'anthropic-messages' && isClaude(target.model)

const vendorHost = 'https://bedrock-runtime.us-east-1.amazonaws.com'

function keysOf({ key }: Pick<Target, 'key'>) {
  const [accessKeyId = '', secretAccessKey = '', region = ''] = key.split('|').map((part) => part.trim())
  if (!accessKeyId || !secretAccessKey || !region)
    throw new UpstreamFault(faultOfKind('credentials', 'The key must read AccessKeyId|SecretAccessKey|Region.'))
  return { accessKeyId, secretAccessKey, region }
}

function actionOf(target: Target): string {
  if (isInvoked(target)) return target.stream ? 'invoke-with-response-stream' : 'invoke'
  return target.stream ? 'converse-stream' : 'converse'
}

/** The model stands in the path, the way of answering in the action, and betas in the body. */
function adjust(body: Body, target: Target): Body {
  if (!isInvoked(target)) return body
  const { model: _, stream: __, ...own } = ownAnthropicThoughts(body)
  const betas = carriedBetas(target.passed('anthropic-beta'))
  return { anthropic_version: 'bedrock-2023-05-31', ...(betas.length > 0 ? { anthropic_beta: betas } : {}), ...own }
}

function signedCall(
  target: Target,
  { method, path, contentType, body }: Omit<VendorRequest, 'body'> & { readonly body: string | Uint8Array },
  tools: Tools,
): UpstreamCall {
  const keys = keysOf(target)
  const base = target.baseUrl === vendorHost ? `https://bedrock-runtime.${keys.region}.amazonaws.com` : target.baseUrl
  const url = new URL(`${base}${path}`)
  const headers: Record<string, string> = contentType === undefined ? {} : { 'content-type': contentType }
  const signed = { ...keys, service: 'bedrock', method, url, headers, body, now: tools.now() }
  return { url: url.href, headers: { ...signedHeaders(signed) } }
}

/** Amazon Bedrock. The key is `AccessKeyId|SecretAccessKey|Region`. */
export const bedrock: Provider = {
  types: [32],
  operations: ['chat'],
  dialect: (target) => (isInvoked(target) ? invoke : converse),
  // Converse has no setting for the form of an answer.
  prepare: (request, target, tools) =>
    isInvoked(target) ? withinClaude(request) : inlineMedia(withinClaude(withFormInWords(request)), tools),
  // A stream arrives in binary events, which no client of the format could read.
  passesThrough: (target) => !target.stream,
  adjust,
  call(target, body, tools) {
    const path = `/model/${pathSegment(target.model)}/${actionOf(target)}`
    return signedCall(target, { method: 'POST', path, contentType: 'application/json', body }, tools)
  },
  pass: signedCall,
}
