import { defineTexts } from '../../i18n.ts'

export const useTexts = defineTexts('workspaces', {
  en: {
    title: 'Sign in',
    lead: 'Content, texts and messages for your apps.',
    email: 'Email',
    password: 'Password',
    show: 'Show or hide the password',
    submit: 'Sign in',
    wrong: 'Email or password is wrong.',
    help: 'First start? The account and its password are in the terminal, below "ContentFlow is at".',
    name: 'Your name',
    workspaceName: 'Name of the workspace',
    signUpTitle: 'Open the first account',
    signUpLead: 'This installation has no account yet. The first one is an admin.',
    signUp: 'Open account',
  },
  ar: {
    title: 'تسجيل الدخول',
    lead: 'المحتوى والنصوص والرسائل لتطبيقاتك.',
    email: 'البريد الإلكتروني',
    password: 'كلمة المرور',
    show: 'إظهار كلمة المرور أو إخفاؤها',
    submit: 'دخول',
    wrong: 'البريد الإلكتروني أو كلمة المرور غير صحيحة.',
    help: 'أول تشغيل؟ ستجد الحساب وكلمة مروره في الطرفية تحت العبارة "ContentFlow is at".',
    name: 'اسمك',
    workspaceName: 'اسم مساحة العمل',
    signUpTitle: 'فتح الحساب الأول',
    signUpLead: 'لا يوجد حساب في هذا النظام بعد. صاحب الحساب الأول مدير.',
    signUp: 'فتح الحساب',
  },
})
