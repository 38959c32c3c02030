import { defineTexts } from '../../../i18n.ts'

export const useSwitchTexts = defineTexts('settings.switches', {
  en: {
    on: 'On',
    off: 'Off',
    isOn: '{{name}} turned on',
    isOff: '{{name}} turned off',
    endTitle: 'Turn off: {{name}}?',
    end: 'Turn off',
  },
  ar: {
    on: 'مفعّلة',
    off: 'معطّلة',
    isOn: 'تم التفعيل: {{name}}',
    isOff: 'تم التعطيل: {{name}}',
    endTitle: 'تعطيل: {{name}}؟',
    end: 'تعطيل',
  },
})
