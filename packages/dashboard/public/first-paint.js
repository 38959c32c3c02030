// Before anything is drawn: the language, direction and colours chosen last, so that nothing flips or flashes.
{
  const root = document.documentElement
  const language = localStorage.getItem('cf.language') ?? (navigator.language.startsWith('ar') ? 'ar' : 'en')
  root.lang = language
  root.dir = language === 'ar' ? 'rtl' : 'ltr'
  const chosen = localStorage.getItem('mantine-color-scheme-value')
  const isDark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  root.dataset.mantineColorScheme = isDark ? 'dark' : 'light'
}
