/** Why a channel is asked first, later or not at all. */
export const reasons = {
  first: {
    weight: 'highest priority, chosen by weight',
    only: 'the only one of the highest priority',
    cost: 'the cheapest of the highest priority',
    latency: 'the fastest of the highest priority',
    sticky: 'the conversation began here',
    pinned: 'the caller named it',
  },
  reserve: {
    priority: 'lower priority: asked when those before it fail',
    weight: 'no weight beside weighted channels: asked when they fail',
    cost: 'dearer than the cheapest: asked when it fails',
    latency: 'slower than the fastest: asked when it fails',
    sticky: 'the conversation is elsewhere: asked when that fails',
  },
  out: {
    disabled: 'disabled',
    group: 'serves other groups',
    rest: 'resting after failures',
    limit: 'at its limit',
    price: 'the model has no price through it',
    operation: 'does not offer this operation',
    token: 'the token is limited to other models',
  },
} as const
