import { type PriceList, yuan } from '#server/providers/list-price.ts'

/** iFlytek, yuan per million tokens. */
// biome-ignore format: one line per model
export const sparkPrices = {
  'Spark-4.0-Ultra': yuan(18),
  'Spark-Max-32K': yuan(18),
  'Spark-Max': yuan(18),
  'Spark-Pro-128K': yuan(18),
  'Spark-Pro': yuan(18),
  'Spark-Lite': yuan(18),
  'SparkDesk': yuan(18),
  'SparkDesk-v4.0': yuan(18),
  'SparkDesk-v3.5-32K': yuan(18),
  'SparkDesk-v3.5': yuan(18),
  'SparkDesk-v3.1-128K': yuan(18),
  'SparkDesk-v3.1': yuan(18),
  'SparkDesk-v2.1': yuan(18),
  'SparkDesk-v1.1': yuan(18),
} satisfies PriceList
