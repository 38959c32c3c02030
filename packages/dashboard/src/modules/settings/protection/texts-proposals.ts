import { defineSplitTexts } from '../../../i18n.ts'

export const useProposalTexts = defineSplitTexts('settings.proposals', {
  en: {
    title: 'Protect this workspace',
    lead: 'Recommended for every workspace whose apps are in the hands of others.',
    what: 'Erasures, email addresses and messages are confirmed by a person, and calls of apps are checked for whom they speak.',
    choose: 'Choose protections',
    later: 'What needs a second person needs a second member. You can change all of it in the settings, under Protection.',
    turnOn: 'Turn on',
    notNow: 'Not now',
    done: 'Protections turned on',
  },
  ar: () => import('./texts-proposals-ar.ts'),
})
