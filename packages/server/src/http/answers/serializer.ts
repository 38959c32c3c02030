import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'

const ajv = new Ajv2020({ strict: false, allErrors: true })
formats.default(ajv)

type Compiled = { schema: unknown; method: string; url: string; httpStatus?: string }

/** Answers are written by JSON.stringify: a serializer made from the schema would drop what the schema forgot. */
export function plainSerializer() {
  return JSON.stringify
}

/** In tests and development every answer must fit the schema its route declares, or the route is wrong: 500. */
export function strictSerializer({ schema, method, url, httpStatus }: Compiled) {
  let validate: ValidateFunction | undefined
  return (data: unknown): string => {
    const text = JSON.stringify(data)
    validate ??= ajv.compile(schema as object)
    if (!validate(JSON.parse(text)))
      throw new Error(`${method} ${url} ${httpStatus ?? ''} answers otherwise than declared: ${ajv.errorsText(validate.errors)}`)
    return text
  }
}
