/** For people who have been with a company for a while. */
import { band, beside, bullets, button, centered, heading, primary, soft, text, type Template } from './build.ts'

export const RELATIONSHIP: readonly Template[] = [
  {
    id: 'review-request',
    category: 'relationship',
    names: { en: 'Review request', ar: 'طلب تقييم' },
    subject: ['How do you like it so far?', 'ما رأيك حتى الآن؟'],
    preheader: ['One minute of yours helps others to choose', 'دقيقة من وقتك تعين غيرك على الاختيار'],
    bands: [
      band(
        heading(1, ['How do you like it?', 'هل أعجبك؟']),
        text(
          ['Hello {{name | there}},', 'مرحبًا {{name | بك}}،'],
          [
            'You have had **{{event.product | your order}}** for two weeks now. Would you tell others what is good about it, and what is not? We publish both.',
            'مضى أسبوعان على وصول **{{event.product | طلبك}}**. هل تخبر الآخرين بما أعجبك وما لم يعجبك؟ ننشر الأمرين معًا.',
          ],
        ),
        button(['Write a review', 'كتابة تقييم'], '/orders/review'),
        text(['It takes about a minute, and you need not sign in.', 'لن يستغرق الأمر أكثر من دقيقة، ولا حاجة إلى تسجيل الدخول.']),
      ),
    ],
  },
  {
    id: 'win-back',
    category: 'relationship',
    names: { en: 'We miss you', ar: 'اشتقنا إليك' },
    subject: ['It has been a while, {{name | friend}}', 'طالت غيبتك يا {{name | صديقنا}}'],
    preheader: ['What changed since you were here', 'ما الذي تغيّر منذ زيارتك الأخيرة'],
    bands: [
      primary(heading(1, ['We have not seen you for a while', 'اشتقنا إليك'], 'center')),
      band(
        text([
          'Hello {{name | there}}, perhaps we were not what you were looking for. A few things are better now than they were:',
          'مرحبًا {{name | بك}}، ربما لم تجد لدينا ما كنت تبحث عنه. بعض الأمور صارت أفضل مما كانت:',
        ]),
        bullets(
          ['Delivery takes two days less', 'التوصيل أسرع بيومين'],
          ['You can send back without printing anything', 'يمكنك الإعادة من دون طباعة أي ورقة'],
          ['Twice as many brands as last year', 'ضعف عدد العلامات التجارية مقارنة بالعام الماضي'],
        ),
        button(['See what is new', 'شاهد الجديد'], '/new'),
      ),
      soft(
        text([
          'You would rather hear from us less often? Choose it with the link below; we do not take it amiss.',
          'تفضّل أن نراسلك أقل؟ اختر ذلك من الرابط أدناه، ولن يزعجنا الأمر.',
        ]),
      ),
    ],
  },
  {
    id: 'loyalty-level',
    category: 'relationship',
    names: { en: 'New loyalty level', ar: 'مستوى ولاء جديد' },
    subject: ['You reached {{customAttributes.level | a new level}}', 'وصلت إلى {{customAttributes.level | مستوى جديد}}'],
    preheader: ['Here is what you have from now on', 'هذه مزاياك من الآن فصاعدًا'],
    bands: [
      primary(
        heading(1, ['Congratulations, {{name | friend}}', 'مبارك يا {{name | صديقنا}}'], 'center'),
        centered([
          'You are now **{{customAttributes.level | one level higher}}**.',
          'أنت الآن في **{{customAttributes.level | مستوى أعلى}}**.',
        ]),
      ),
      beside(
        [heading(3, ['Free delivery', 'توصيل مجاني']), text(['On every order, however small', 'على كل طلب مهما كان صغيرًا'])],
        [heading(3, ['First to know', 'أول من يعلم']), text(['The sale opens a day earlier for you', 'تبدأ التخفيضات لك قبل غيرك بيوم'])],
      ),
      soft(
        centered(['Points in your account', 'النقاط في حسابك']),
        heading(
          1,
          ['{{number customAttributes.points | See your account}}', '{{number customAttributes.points | تجدها في حسابك}}'],
          'center',
        ),
        button(['Use my points', 'استخدام نقاطي'], '/loyalty', 'center'),
      ),
    ],
  },
]
