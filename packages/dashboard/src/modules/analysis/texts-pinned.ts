/** Words of the reports on the start page, which loads none of the page Analysis. */
import { defineTexts } from '../../i18n.ts'

export const useTexts = defineTexts('pinned', {
  en: {
    reports: 'Reports',
    view_explore: 'Explorer',
    view_funnel: 'Funnels',
    view_retention: 'Retention',
  },
  ar: {
    reports: 'التقارير',
    view_explore: 'المستكشف',
    view_funnel: 'المسارات',
    view_retention: 'العودة',
  },
})
