import { defineTexts } from '../../i18n.ts'

export const useTexts = defineTexts('tokens', {
  en: {
    insertToken: 'Insert placeholder',
    tokensText: 'Filled in for each person. Who has no value gets no message.',
    knownOf_one: 'set for {{formatted}} person',
    knownOf_other: 'set for {{formatted}} people',
  },
  ar: {
    insertToken: 'إدراج متغيّر',
    tokensText: 'تُملأ لكل شخص. من لا قيمة له لا تصله رسالة.',
    knownOf_zero: 'بلا قيمة لأي شخص',
    knownOf_one: 'له قيمة لشخص واحد',
    knownOf_two: 'له قيمة لشخصين',
    knownOf_few: 'له قيمة عند {{formatted}} أشخاص',
    knownOf_many: 'له قيمة عند {{formatted}} شخصًا',
    knownOf_other: 'له قيمة عند {{formatted}} شخص',
  },
})
