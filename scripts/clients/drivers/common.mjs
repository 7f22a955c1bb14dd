/** What a driver of a client is given by its environment, and how it answers: one JSON line for each check. */
import { readFileSync } from 'node:fs'

export const { BASE, KEY, MODEL, PNG, PDF } = process.env
export const png = readFileSync(PNG).toString('base64')
export const pdf = readFileSync(PDF).toString('base64')
export const prompt = 'CALL get_weather {"city":"Rome"}\nCALL get_weather {"city":"Oslo"}'
export const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
export const weather = ({ city }) => `sunny in ${city}`

export async function check(name, work, expected) {
  let said
  try {
    said = String(await work())
  } catch (error) {
    said = `${error?.name ?? 'Error'}: ${error?.message ?? error}`
  }
  console.log(JSON.stringify({ check: name, ok: expected.test(said), said: said.slice(0, 300) }))
}

export const both = /results:2/
export const sawImage = /image:[1-9]/
export const sawPdf = /pdf:[1-9]/
export const resumed = /turns:[1-9]/
