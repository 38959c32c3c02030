import { defineTexts } from '../../../../i18n.ts'

/** What apps show from when to when. */
export const useServingTexts = defineTexts('editor-serving', {
  en: {
    whenShown: 'What apps show when',
    now: 'Now',
    fromNowUntil: 'Now, until {{until}}',
    from: 'From {{from}}',
    fromUntil: 'From {{from}} until {{until}}',
    this: 'This version',
    other: 'Version {{number}}',
    nothing: 'Nothing',
    never_shown_ended: 'Apps never show it: it ends {{at}}, before it is published.',
    never_shown_replaced: 'Apps never show it: another version replaces it {{at}}, before it starts.',
    nothing_shown: 'What apps show now goes {{from}}, and nothing takes its place.',
    nothing_shown_now: 'What apps show now goes at once, and nothing takes its place.',
    nothing_shown_until: 'What apps show until {{from}} goes, and nothing is shown until {{until}}.',
    nothing_shown_now_until: 'What apps show now goes at once, and nothing is shown until {{until}}.',
    variants_never_shown: 'These variants have a weight of 0, so nobody gets them: {{names}}',
  },
  ar: {
    whenShown: 'ما تعرضه التطبيقات ومتى',
    now: 'الآن',
    fromNowUntil: 'من الآن حتى {{until}}',
    from: 'من {{from}}',
    fromUntil: 'من {{from}} حتى {{until}}',
    this: 'هذا الإصدار',
    other: 'الإصدار {{number}}',
    nothing: 'لا شيء',
    never_shown_ended: 'لن تعرضه التطبيقات: ينتهي {{at}} قبل موعد نشره.',
    never_shown_replaced: 'لن تعرضه التطبيقات: يحل محله إصدار آخر {{at}} قبل أن يبدأ.',
    nothing_shown: 'يختفي المعروض في التطبيقات {{from}}، ولا يحل محله شيء.',
    nothing_shown_now: 'يختفي المعروض في التطبيقات فورًا، ولا يحل محله شيء.',
    nothing_shown_until: 'يختفي المعروض في التطبيقات {{from}}، ولا يُعرض شيء حتى {{until}}.',
    nothing_shown_now_until: 'يختفي المعروض في التطبيقات فورًا، ولا يُعرض شيء حتى {{until}}.',
    variants_never_shown: 'وزن هذه الصيغ 0، فلا تصل إلى أحد: {{names}}',
  },
})
