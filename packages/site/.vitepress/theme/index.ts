/** The look of the site: VitePress's own theme in the colours and letters of the dashboard, with the version and the ways to the server. */
import '@fontsource-variable/inter'
import '@fontsource-variable/noto-sans-arabic'
import { useData } from 'vitepress'
import DefaultTheme from 'vitepress/theme-without-fonts'
import { defineComponent, h } from 'vue'
import type { Theme } from '../config.ts'
import './theme.css'

const Layout = defineComponent(() => {
  const { theme } = useData<Theme>()
  const links = () =>
    // With a target, they leave the site: pages of the server are none of it.
    theme.value.beside.map(({ text, href }) => h('a', { class: 'beside', href, target: '_self' }, text))
  return () =>
    h(DefaultTheme.Layout, null, {
      'nav-bar-title-after': () => h('span', { class: 'version' }, theme.value.version),
      'nav-bar-content-after': () => h('div', { class: 'besides' }, links()),
      'nav-screen-content-after': () => h('div', { class: 'besides-screen' }, links()),
    })
})

export default { extends: DefaultTheme, Layout }
