import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'

export interface SdkClients {
  readonly openai: OpenAI
  readonly anthropic: Anthropic
  readonly google: GoogleGenAI
}

/** The vendors' own clients, pointed at a relay. They never try twice, so that a test sees every failure. */
export function sdkClients(url: string, key: string): SdkClients {
  return {
    openai: new OpenAI({ apiKey: key, baseURL: `${url}/v1`, maxRetries: 0 }),
    anthropic: new Anthropic({ apiKey: key, baseURL: url, maxRetries: 0 }),
    google: new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: url } }),
  }
}
