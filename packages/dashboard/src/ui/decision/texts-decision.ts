import { defineTexts } from '../../i18n.ts'

export const useDecisionTexts = defineTexts('ui-decision', {
  en: {
    note: 'Note',
    noteHint: 'Required to reject',
    reject: 'Reject',
    withdraw: 'Withdraw',
    close: 'Close',
    approved: 'Approved',
    rejected: 'Rejected',
    withdrawn: 'Request withdrawn',
    needsApprover: 'A member who can approve decides.',
  },
  ar: {
    note: 'ملاحظة',
    noteHint: 'لازمة للرفض',
    reject: 'رفض',
    withdraw: 'سحب الطلب',
    close: 'إغلاق',
    approved: 'تم الاعتماد',
    rejected: 'تم الرفض',
    withdrawn: 'سُحب الطلب',
    needsApprover: 'يقرر عضو له صلاحية الاعتماد.',
  },
})
