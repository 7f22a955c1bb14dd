import { namesByNumber } from '#server/import/names-by-number.ts'

// Numbers of one-api 0.6.11 (February 2025), which it uses for every model its own options do not name.

/** Input price of a model; a number in brackets is the channel type it holds for alone. */
export const modelRatios = namesByNumber(`
-500000: openrouter/auto
0: cogview-3-flash cogviewx-flash deepseek/deepseek-chat:free deepseek/deepseek-r1-distill-llama-70b:free
  deepseek/deepseek-r1:free glm-4-flash glm-4v-flash google/gemini-2.0-flash-exp:free
  google/gemini-2.0-flash-lite-preview-02-05:free google/gemini-2.0-flash-thinking-exp-1219:free
  google/gemini-2.0-flash-thinking-exp:free google/gemini-2.0-pro-exp-02-05:free google/gemini-exp-1206:free
  google/gemini-flash-1.5-8b-exp google/gemma-2-9b-it:free google/learnlm-1.5-pro-experimental:free
  gryphe/mythomax-l2-13b:free huggingfaceh4/zephyr-7b-beta:free meta-llama/llama-3-8b-instruct:free
  meta-llama/llama-3.2-11b-vision-instruct:free meta-llama/llama-3.3-70b-instruct:free
  microsoft/phi-3-medium-128k-instruct:free microsoft/phi-3-mini-128k-instruct:free mistralai/mistral-7b-instruct:free
  mistralai/mistral-nemo:free mistralai/mistral-small-24b-instruct-2501:free
  nvidia/llama-3.1-nemotron-70b-instruct:free openchat/openchat-7b:free qwen/qwen-2-7b-instruct:free
  qwen/qwen-vl-plus:free qwen/qwen2.5-vl-72b-instruct:free sophosympatheia/rogue-rose-103b-v0.2:free
  undi95/toppy-m-7b:free
2.5e-05: llama-3.1-8b-instant llama-3.2-11b-text-preview llama-3.2-11b-vision-preview llama-3.2-1b-preview
  llama-3.2-3b-preview llama-guard-3-8b llama3-8b-8192
3.5e-05: gemma-7b-it
7.1e-05: step-1-flash
9.5e-05: llama3-groq-8b-8192-tool-use-preview
0.0001: gemma2-9b-it
0.00012: mixtral-8x7b-32768
0.000295: llama-3.1-70b-versatile llama-3.2-90b-text-preview llama3-70b-8192
0.000355: step-1-8k step-1v-8k
0.000445: llama3-groq-70b-8192-tool-use-preview
0.001065: step-1-32k step-1v-32k
0.002698: step-2-16k
0.00284: step-1-128k
0.005: liquid/lfm-7b meta-llama/llama-3.2-1b-instruct
0.006745: step-1-256k
0.0071: codegeex-4 glm-4-flashx
0.01: liquid/lfm-3b text-embedding-3-small
0.0125: meta-llama/llama-3.2-3b-instruct
0.01875: gemini-1.5-flash-8b
0.02: deepseek/deepseek-r1-distill-llama-8b mistralai/ministral-3b nousresearch/hermes-2-pro-llama-3-8b
0.0213: qwen-turbo qwen-turbo-latest qwen2.5-0.5b-instruct qwen2.5-1.5b-instruct
0.025: meta-llama/llama-3.1-8b-instruct qwen/qwen-2.5-7b-instruct
0.027: qwen/qwen-2-7b-instruct
0.0275: meta-llama/llama-3.2-11b-vision-instruct mistralai/mistral-7b-instruct mistralai/mistral-7b-instruct-v0.3
  openchat/openchat-7b
0.03: google/gemma-2-9b-it meta-llama/llama-3-8b-instruct sao10k/l3-lunaris-8b
0.0325: gryphe/mythomax-l2-13b
0.035: microsoft/wizardlm-2-7b undi95/toppy-m-7b
0.0355: deepseek-r1-distill-llama-8b deepseek-r1-distill-qwen-7b embedding-2 embedding-3 glm-4-air
  hunyuan-standard-256K qwen-max-longcontext qwen2.5-7b-instruct
0.0375: gemini-1.5-flash gemini-1.5-flash-001 gemini-2.0-flash-exp gemini-2.0-flash-lite-preview-02-05
  gemini-2.0-flash-thinking-exp-01-21
0.04: mistralai/mistral-nemo
0.0497: hunyuan-embedding text-embedding-async-v1 text-embedding-async-v2 text-embedding-v1 text-embedding-v2
  text-embedding-v3
0.05: microsoft/phi-3-mini-128k-instruct microsoft/phi-3.5-mini-128k-instruct mistral-embed mistralai/ministral-8b
  mistralai/pixtral-12b qwen/qwen-2-vl-7b-instruct text-embedding-ada-002
0.0568: hunyuan-standard qwen-plus qwen-plus-latest
0.0625: gemini-1.0-pro
0.065: text-embedding-3-large
0.07: amazon/nova-micro-v1 deepseek-chat microsoft/phi-4 mistralai/mistral-small-24b-instruct-2501
0.071: ERNIE-Tiny-8K charglm-4 deepseek-r1-distill-qwen-1.5b deepseek-r1-distill-qwen-14b deepseek-v3 glm-3-turbo
  glm-4-long qwen-mt-turbo qwen1.5-0.5b-chat qwen1.5-1.8b-chat qwen1.5-7b-chat qwen2-0.5b-instruct qwen2-1.5b-instruct
  qwen2-7b-instruct qwen2-math-1.5b-instruct qwen2-math-7b-instruct qwen2.5-14b-instruct qwen2.5-coder-0.5b-instruct
  qwen2.5-coder-1.5b-instruct qwen2.5-coder-3b-instruct qwen2.5-coder-7b-instruct qwen2.5-math-1.5b-instruct
  qwen2.5-math-7b-instruct
0.0715: embedding-bert-512-v1 embedding_s1_v1 semantic_similarity_s1_v1
0.075: cohere/command-r7b-12-2024 deepseek/deepseek-r1-distill-qwen-14b gemini-2.0-flash gemini-2.0-flash-001
  google/gemini-flash-1.5-8b google/gemma-7b-it gpt-4o-mini gpt-4o-mini-2024-07-18 liquid/lfm-40b
0.08: qwen/qwen-2.5-coder-32b-instruct
0.085: nousresearch/nous-hermes-llama2-13b teknium/openhermes-2.5-mistral-7b
0.0852: qwen2.5-vl-3b-instruct
0.09: deepseek/deepseek-r1-distill-qwen-1.5b deepseek/deepseek-r1-distill-qwen-32b qwen/qwq-32b-preview
0.1: aion-labs/aion-rp-llama-3.1-8b meta-llama/llama-guard-2-8b mistralai/mistral-7b-instruct-v0.1
  perplexity/llama-3.1-sonar-small-128k-chat perplexity/llama-3.1-sonar-small-128k-online qwen/qwen-turbo
  text-moderation-latest text-moderation-stable
0.1065: qwen-vl-plus qwen-vl-plus-latest
0.11: meta-llama/llama-2-13b-chat
0.12: amazon/nova-lite-v1 mistralai/mixtral-8x7b-instruct
0.125: claude-3-haiku-20240307 gemini-pro mistralai/codestral-mamba mistralai/mistral-tiny open-mistral-7b
0.135: google/gemma-2-27b-it
0.142: Embedding-V1 bge-large-en bge-large-zh deepseek-r1 deepseek-r1-distill-qwen-32b qwen-audio-chat
  qwen-coder-turbo qwen-coder-turbo-latest qwen-math-turbo qwen-math-turbo-latest qwen-vl-chat-v1 qwen-vl-v1
  qwen1.5-14b-chat qwen2-audio-instruct qwen2-vl-2b-instruct qwen2.5-coder-14b-instruct qwen2.5-coder-32b-instruct
  qwen2.5-vl-7b-instruct qwq-32b-preview tao-8k
0.15: google/gemini-flash-1.5 llama3-8b-8192(33) meta-llama/llama-3.1-70b-instruct meta-llama/llama-3.3-70b-instruct
  nousresearch/hermes-3-llama-3.1-70b nvidia/llama-3.1-nemotron-70b-instruct
0.1704: qwen-max qwen-max-latest
0.1775: yi-34b-chat-0205
0.2: ai21/jamba-1-5-mini babbage-002 google/gemini-2.0-flash-001 meta-llama/llama-3-70b-instruct
  qwen/qwen-2-vl-72b-instruct qwen/qwen-2.5-72b-instruct text-ada-001
0.213: ERNIE-Lite-8K-0308 qwen-vl-max qwen-vl-max-latest
0.2485: qwen-coder-plus qwen-coder-plus-latest qwen1.5-32b-chat qwen2-57b-a14b-instruct
0.25: cognitivecomputations/dolphin-mixtral-8x7b command-r gpt-3.5-turbo gpt-3.5-turbo-0125 jondurbin/airoboros-l2-70b
  microsoft/wizardlm-2-8x22b qwen/qvq-72b-preview text-babbage-001 thedrummer/rocinante-12b thedrummer/unslopnemo-12b
0.275: deepseek-reasoner
0.284: BLOOMZ-7B ERNIE-Speed-128K ERNIE-Speed-8K deepseek-r1-distill-llama-70b glm-4v-plus hunyuan-code
  hunyuan-functioncall hunyuan-large hunyuan-role qwen-math-plus qwen-math-plus-latest qwen2-72b-instruct
  qwen2-math-72b-instruct qwen2.5-72b-instruct qwen2.5-math-72b-instruct
0.285: cohere/command-r-08-2024
0.3: mistralai/mistral-small mistralai/mixtral-8x7b nousresearch/nous-hermes-2-mixtral-8x7b-dpo openai/gpt-4o-mini
  openai/gpt-4o-mini-2024-07-18
0.345: deepseek/deepseek-r1-distill-llama-70b
0.35: ai21/jamba-instruct open-mixtral-8x7b
0.355: abab5.5s-chat hunyuan-translation-lite qwen-vl-ocr qwen-vl-ocr-latest qwen1.5-72b-chat
0.4: claude-instant-1.2 meta-llama/llama-3.1-405b-instruct nousresearch/hermes-3-llama-3.1-405b sao10k/l3-euryale-70b
  sao10k/l3.1-euryale-70b sao10k/l3.3-euryale-70b sophosympatheia/midnight-rose-70b
0.426: hunyuan-large-longcontext qwen-1.8b-chat qwen-1.8b-longcontext-chat qwen-7b-chat qwen2.5-3b-instruct yi-vl-plus
0.445: deepseek/deepseek-chat
0.45: cognitivecomputations/dolphin-mixtral-8x22b meta-llama/llama-2-70b-chat mistralai/codestral-2501
  mistralai/mixtral-8x22b-instruct qwen/qwen-2-72b-instruct
0.497: qwen1.5-110b-chat
0.5: claude-3-5-haiku-20241022 claude-3-5-haiku-latest command command-light command-light-nightly command-nightly
  gpt-3.5-turbo-1106 microsoft/phi-3-medium-128k-instruct perplexity/llama-3.1-sonar-large-128k-chat
  perplexity/llama-3.1-sonar-large-128k-online perplexity/sonar
0.55: minimax/minimax-01
0.5625: neversleep/llama-3-lumimaid-8b neversleep/llama-3-lumimaid-8b:extended neversleep/llama-3.1-lumimaid-8b
0.568: Baichuan2-Turbo ERNIE-Lite-8K-0922 qwen-14b-chat
0.6: aetherwiing/mn-starcannon-12b databricks/dbrx-instruct infermatic/mn-inferor-12b nothingiisreal/mn-celeste-12b
  pygmalionai/mythalion-13b qwen/qwen-plus sao10k/fimbulvetr-11b-v2 undi95/remm-slerp-l2-13b
0.625: anthropic/claude-3-haiku anthropic/claude-3-haiku:beta gemini-1.5-pro gemini-1.5-pro-001
  gemini-1.5-pro-experimental gemini-2.0-pro-exp-02-05
0.71: abab6.5s-chat glm-4-airx glm-zero-preview
0.7125: cohere/command-r cohere/command-r-03-2024
0.75: google/gemini-pro google/gemini-pro-vision gpt-3.5-turbo-0301 gpt-3.5-turbo-0613 gpt-3.5-turbo-instruct
  openai/gpt-3.5-turbo openai/gpt-3.5-turbo-0125
0.8: meta-llama/llama-3.2-90b-vision-instruct
0.852: ERNIE-3.5-4K-0205 ERNIE-3.5-8K ERNIE-3.5-8K-1222 moonshot-v1-8k qvq-72b-preview yi-34b-chat-200k
0.8572: 360GPT_S2_V9
0.95: cohere/command
1: aqa davinci-002 deepseek/deepseek-chat-v2.5 google/palm-2-chat-bison google/palm-2-chat-bison-32k
  google/palm-2-codechat-bison google/palm-2-codechat-bison-32k meta-llama/llama-3.1-405b mistral-small-latest
  openai/gpt-3.5-turbo-0613 openai/gpt-3.5-turbo-1106 openai/gpt-3.5-turbo-instruct text-curie-001
1.065: abab5.5-chat emohaa hunyuan-turbo qwen-mt-plus
1.125: alpindale/magnum-72b anthracite-org/magnum-v4-72b mancer/weaver neversleep/noromaid-20b
1.136: Baichuan2-Turbo-192k qwen2-vl-7b-instruct qwen2.5-vl-72b-instruct
1.2: aion-labs/aion-1.0-mini deepseek/deepseek-r1
1.25: gpt-4o-2024-08-06 gpt-4o-2024-11-20
1.278: hunyuan-vision
1.2858: SparkDesk SparkDesk-v1.1 SparkDesk-v2.1 SparkDesk-v3.1 SparkDesk-v3.1-128K SparkDesk-v3.5 SparkDesk-v3.5-32K
  SparkDesk-v4.0
1.325: llama3-70b-8192(33)
1.35: mistral-medium-latest
1.42: Baichuan2-53B qwen-72b-chat
1.4286: qwen-audio-turbo
1.5: 01-ai/yi-large anthracite-org/magnum-v2-72b black-forest-labs/flux-redux-schnell black-forest-labs/flux-schnell
  claude-3-5-sonnet-20240620 claude-3-5-sonnet-20241022 claude-3-5-sonnet-latest claude-3-sonnet-20240229
  command-r-plus gpt-3.5-turbo-16k gpt-3.5-turbo-16k-0613 o1-mini o1-mini-2024-09-12 o3-mini o3-mini-2025-01-31
  sao10k/l3.1-70b-hanami-x1
1.6: amazon/nova-pro-v1
1.7: eva-unit-01/eva-qwen-2.5-32b
1.704: ERNIE-3.5-8K-0205 ERNIE-Bot-8K moonshot-v1-32k
1.875: xwin-lm/xwin-lm-70b
2: anthropic/claude-3.5-haiku anthropic/claude-3.5-haiku-20241022 anthropic/claude-3.5-haiku-20241022:beta
  anthropic/claude-3.5-haiku:beta openai/gpt-3.5-turbo-16k
2.13: abab6.5-chat qwen2.5-32b-instruct
2.2: openai/o1-mini openai/o1-mini-2024-09-12 openai/o3-mini openai/o3-mini-high
2.25: neversleep/llama-3-lumimaid-70b neversleep/llama-3.1-lumimaid-70b raifle/sorcererlm-8x22b
2.5: chatgpt-4o-latest google/gemini-pro-1.5 gpt-4o gpt-4o-2024-05-13 grok-beta
  perplexity/llama-3.1-sonar-huge-128k-online perplexity/sonar-reasoning
3: eva-unit-01/eva-llama-3.33-70b eva-unit-01/eva-qwen-2.5-72b mistralai/mistral-large mistralai/mistral-large-2407
  mistralai/mistral-large-2411 mistralai/pixtral-large-2411
3.2: qwen/qwen-max
3.55: glm-4-plus glm-4v
4: ai21/jamba-1-5-large claude-2.0 claude-2.1 mistral-large-latest
4.05: mistralai/mistral-medium
4.26: cogview-3-plus moonshot-v1-128k
4.6875: alpindale/goliath-120b
4.75: cohere/command-r-plus-08-2024
5: allenai/llama-3.1-tulu-3-405b gpt-4-0125-preview gpt-4-1106-preview gpt-4-turbo gpt-4-turbo-2024-04-09
  gpt-4-turbo-preview gpt-4-vision-preview inflection/inflection-3-pi inflection/inflection-3-productivity
  openai/gpt-4o openai/gpt-4o-2024-08-06 openai/gpt-4o-2024-11-20 x-ai/grok-2-1212 x-ai/grok-2-vision-1212
5.68: hunyuan-turbo-vision
6: aion-labs/aion-1.0
7.1: abab6-chat cogview-3 glm-4 glm-4-0520
7.125: cohere/command-r-plus cohere/command-r-plus-04-2024
7.5: anthropic/claude-3-sonnet anthropic/claude-3-sonnet:beta anthropic/claude-3.5-sonnet
  anthropic/claude-3.5-sonnet-20240620 anthropic/claude-3.5-sonnet-20240620:beta anthropic/claude-3.5-sonnet:beta
  claude-3-opus-20240229 o1 o1-2024-12-17 o1-preview o1-preview-2024-09-12 openai/chatgpt-4o-latest
  openai/gpt-4o-2024-05-13 tts-1 tts-1-1106 x-ai/grok-beta x-ai/grok-vision-beta
8: ali-stable-diffusion-v1.5 ali-stable-diffusion-xl wanx-v1
8.52: ERNIE-4.0-8K
9: openai/gpt-4o:extended
10: ada babbage black-forest-labs/flux-schnell-lora code-davinci-edit-001 curie dall-e-2 davinci text-davinci-002
  text-davinci-003 text-davinci-edit-001 text-search-ada-doc-001
12: anthropic/claude-2 anthropic/claude-2.0 anthropic/claude-2.0:beta anthropic/claude-2.1 anthropic/claude-2.1:beta
  anthropic/claude-2:beta
12.5: black-forest-labs/flux-canny-dev black-forest-labs/flux-depth-dev black-forest-labs/flux-dev
  black-forest-labs/flux-redux-dev deepl-en deepl-ja deepl-zh
15: gpt-4 gpt-4-0314 gpt-4-0613 ibm-granite/granite-3.0-2b-instruct openai/gpt-4-1106-preview openai/gpt-4-turbo
  openai/gpt-4-turbo-preview tts-1-hd tts-1-hd-1106 whisper-1
16: black-forest-labs/flux-dev-lora
17.5: stability-ai/stable-diffusion-3 stability-ai/stable-diffusion-3.5-medium
20: black-forest-labs/flux-1.1-pro black-forest-labs/flux-fill-dev dall-e-3 recraft-ai/recraft-v3
  stability-ai/stable-diffusion-3.5-large-turbo
25: black-forest-labs/flux-canny-pro black-forest-labs/flux-depth-pro black-forest-labs/flux-fill-pro
  ibm-granite/granite-3.0-8b-instruct ibm-granite/granite-8b-code-instruct-128k ideogram-ai/ideogram-v2-turbo
  meta/llama-2-7b meta/llama-2-7b-chat meta/meta-llama-3-8b meta/meta-llama-3-8b-instruct
  mistralai/mistral-7b-instruct-v0.2 mistralai/mistral-7b-v0.1
27.5: black-forest-labs/flux-pro
30: black-forest-labs/flux-1.1-pro-ultra gpt-4-32k gpt-4-32k-0314 gpt-4-32k-0613 openai/gpt-4 openai/gpt-4-0314
  openai/o1 openai/o1-preview openai/o1-preview-2024-09-12
32.5: stability-ai/stable-diffusion-3.5-large
35.5: cogviewx
37.5: anthropic/claude-3-opus anthropic/claude-3-opus:beta
40: ideogram-ai/ideogram-v2 recraft-ai/recraft-v3-svg
50: ibm-granite/granite-20b-code-instruct-8k meta/llama-2-13b meta/llama-2-13b-chat
60: openai/gpt-4-32k openai/gpt-4-32k-0314
150: mistralai/mixtral-8x7b-instruct-v0.1
325: meta/llama-2-70b meta/llama-2-70b-chat meta/meta-llama-3-70b meta/meta-llama-3-70b-instruct
4750: meta/meta-llama-3.1-405b-instruct
`)

/** Output price against input, where it is set and not derived from the name. */
export const completionRatios = namesByNumber(`
0: whisper-1
1.320754716981132: llama3-70b-8192(33)
2: deepseek-chat llama3-8b-8192(33)
3.981818181818182: deepseek-reasoner
`)
