import { defineTexts } from '../../i18n.ts'

export const useTemplateTexts = defineTexts('journeys-templates', {
  en: {
    welcome: 'Welcome',
    welcomeText: 'Greets whoever signs up, and reminds those who have not bought after a day.',
    winBack: 'Win back after 30 days',
    winBackText: 'Writes to people who were silent for 30 days, and once more if they stay away.',
    cart: 'Left cart',
    cartText: 'An hour after the cart was filled: a reminder if something is still in it. Needs a segment and the trait cartItems.',
    ramadan: 'Ramadan greeting',
    ramadanText: 'On the first day of Ramadan: a greeting in the app and as a push.',
    birthday: 'Birthday greeting',
    birthdayText: 'Each year on their birthday, at 9 in the morning: a greeting in the app and as a push. Needs the trait birthday.',
    blank: 'Blank journey',
    blankText: 'Begin with nothing.',
  },
  ar: {
    welcome: 'ترحيب',
    welcomeText: 'ترحيب بمن ينشئ حسابًا، وتذكير بعد يوم لمن لم يشترِ.',
    winBack: 'استعادة بعد 30 يومًا',
    winBackText: 'رسالة إلى من انقطعوا 30 يومًا، ورسالة أخيرة لمن لم يعودوا.',
    cart: 'سلة متروكة',
    cartText: 'بعد ساعة من ملء السلة: تذكير إن بقي فيها شيء. تلزم شريحة وسمة cartItems.',
    ramadan: 'تهنئة رمضان',
    ramadanText: 'في أول أيام رمضان: تهنئة داخل التطبيق وإشعار.',
    birthday: 'تهنئة عيد الميلاد',
    birthdayText: 'في يوم ميلاد كل شخص، كل سنة، الساعة 9 صباحًا: تهنئة داخل التطبيق وإشعار. تلزم سمة birthday.',
    blank: 'رحلة فارغة',
    blankText: 'البدء من الصفر.',
  },
})
