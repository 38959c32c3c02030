import { defineTexts } from '../../../i18n.ts'

export const useProposalTexts = defineTexts('settings.proposals', {
  en: {
    title: 'Protect this workspace',
    lead: 'Recommended for every workspace whose apps are in the hands of others. Turn off what you do not want, then turn on the rest.',
    later: 'What needs a second person needs a second member. You can change all of it in the settings, under Protection.',
    turnOn: 'Turn on',
    notNow: 'Not now',
    done: 'Protections turned on',
  },
  ar: {
    title: 'حماية مساحة العمل هذه',
    lead: 'يوصى بها لكل مساحة عمل تطبيقاتها بين أيدي الآخرين. يمكن استبعاد ما لا يلزم ثم تفعيل الباقي.',
    later: 'ما يتطلب شخصًا ثانيًا يلزمه عضو ثانٍ. ويمكن تغيير ذلك كله في الإعدادات، قسم الحماية.',
    turnOn: 'تفعيل',
    notNow: 'ليس الآن',
    done: 'تم تفعيل وسائل الحماية',
  },
})
