export const about = {
  title: 'About',
  lead: '{{name}} relays requests to the model providers its administrators have connected, and keeps count of what each one costs.',
  empty: 'The administrator has not written anything here yet.',
} as const
