import { defineTexts } from '../../i18n.ts'

export const useImportedTexts = defineTexts('people-imported', {
  en: {
    title: 'Imported attributes',
    text: 'What other systems say of this person. Segments use the values in effect.',
    none: 'Nothing was imported about this person.',
    value: 'Value',
    from: 'From',
    holds: 'In effect',
    outranked: 'Outranked',
    older: 'Replaced',
    ended: 'Expired',
    lostTo: '{{source}} has priority.',
    lostToNewer: 'A newer import has another value.',
    endsAt: 'Expires',
    endedAt: 'Expired',
  },
  ar: {
    title: 'السمات المستوردة',
    text: 'ما تقوله أنظمة أخرى عن هذا الشخص. تستخدم الشرائح القيم السارية.',
    none: 'لم يُستورد شيء عن هذا الشخص.',
    value: 'القيمة',
    from: 'المصدر',
    holds: 'سارية',
    outranked: 'أدنى أولوية',
    older: 'مستبدلة',
    ended: 'منتهية',
    lostTo: 'الأولوية للمصدر {{source}}.',
    lostToNewer: 'في استيراد أحدث قيمة أخرى.',
    endsAt: 'تنتهي الصلاحية',
    endedAt: 'انتهت الصلاحية',
  },
})
