export { sampleValues, useTokens, type TokenChoice } from '../../../ui/tokens/use-tokens.ts'
