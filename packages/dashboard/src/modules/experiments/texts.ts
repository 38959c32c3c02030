import { defineTexts } from '../../i18n.ts'
import { ar } from './texts-ar.ts'
import { en } from './texts-en.ts'

export const useTexts = defineTexts('experiments', { en, ar })
