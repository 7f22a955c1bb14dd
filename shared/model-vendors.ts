import { channelTypes } from './channel-types.ts'

const vendors: readonly (readonly [RegExp, string])[] = [
  [
    /^(gpt|o\d|chatgpt|codex|text-embedding|text-moderation|omni-moderation|dall-e|whisper|tts|sora|davinci|babbage)/i,
    'OpenAI',
  ],
  [/^claude/i, 'Anthropic'],
  [/^(gemini|gemma|imagen|veo|palm|learnlm)/i, 'Google'],
  [/^deepseek/i, 'DeepSeek'],
  [/^grok/i, 'xAI'],
  [/^(mistral|codestral|ministral|magistral|devstral|pixtral|open-mi|voxtral)/i, 'Mistral AI'],
  [/^(qwen|qwq|qvq|wan)/i, 'Alibaba'],
  [/^(kimi|moonshot)/i, 'Moonshot AI'],
  [/^(glm|chatglm|cogview)/i, 'Zhipu AI'],
  [/^(minimax|abab)/i, 'MiniMax'],
  [/^(llama|meta-)/i, 'Meta'],
  [/^(command|rerank|embed)/i, 'Cohere'],
  [/^ernie/i, 'Baidu'],
  [/^(hunyuan|hy)/i, 'Tencent'],
  [/^(spark|generalv)/i, 'iFlytek'],
  [/^baichuan/i, 'Baichuan'],
  [/^yi-/i, '01.AI'],
]

/** Who makes a model, by its name; '' when nobody knows. */
export function vendorOf(model: string): string {
  const bare = model.slice(model.lastIndexOf('/') + 1)
  const known = vendors.find(([name]) => name.test(bare))?.[1]
  return known ?? channelTypes.find(({ models }) => models.includes(model))?.label ?? ''
}
