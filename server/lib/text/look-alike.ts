/** Letters of other alphabets, and digits, that are drawn like a Latin letter; each line begins with that letter. */
const families = [
  'aаαɑ',
  'bвь',
  'cсϲ',
  'dԁ',
  'eе',
  'gɡ',
  'hһн',
  'jјϳ',
  'kкκ',
  'li1ıιіӏ|',
  'mм',
  'nո',
  'o0оοօ',
  'pрρ',
  'qԛ',
  'rг',
  'sѕ',
  'tтτ',
  'uυս',
  'vѵν',
  'wԝѡ',
  'xхχ',
  'yуγү',
  'zᴢ',
]

const plain = new Map(families.flatMap((family) => [...family].map((sign) => [sign, family[0] ?? sign] as const)))

/** What a name looks like at a glance: two names that look the same have the same one. */
export const looksOf = (name: string): string =>
  [...name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()].map((sign) => plain.get(sign) ?? sign).join('')
