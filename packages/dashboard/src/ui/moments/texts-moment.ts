import { defineTexts } from '../../i18n.ts'

export const useMomentTexts = defineTexts('ui-moment', {
  en: {
    time: 'Time',
    hours: 'Hours',
    minutes: 'Minutes',
    takeTime: 'Take this time',
    clearTime: 'Clear {{label}}',
    nextMonth: 'Next',
    previousMonth: 'Previous',
    ramadan: 'Ramadan',
    eidFitr: 'Eid al-Fitr',
    eidAdha: 'Eid al-Adha',
  },
  ar: {
    time: 'الوقت',
    hours: 'الساعات',
    minutes: 'الدقائق',
    takeTime: 'اعتماد هذا الوقت',
    clearTime: 'مسح {{label}}',
    nextMonth: 'التالي',
    previousMonth: 'السابق',
    ramadan: 'رمضان',
    eidFitr: 'عيد الفطر',
    eidAdha: 'عيد الأضحى',
  },
})
