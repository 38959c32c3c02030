/** For people who have just come, and their accounts. */
import { band, beside, bullets, button, divider, heading, primary, soft, steps, text, type Template } from './build.ts'

export const START: readonly Template[] = [
  {
    id: 'welcome',
    category: 'start',
    names: { en: 'Welcome', ar: 'ترحيب' },
    subject: ['Welcome, {{name | friend}}', 'أهلًا بك يا {{name | صديقنا}}'],
    preheader: ['Three things that are worth knowing on your first day', 'ثلاثة أمور يحسن أن تعرفها من اليوم الأول'],
    bands: [
      primary(heading(1, ['Good to have you here', 'سعداء بانضمامك إلينا'], 'center')),
      band(
        text(
          ['Hello {{name | there}},', 'مرحبًا {{name | بك}}،'],
          [
            'Thank you for joining us. Your account is ready, and you can look around at your own pace. Here is what most people do first:',
            'شكرًا لانضمامك. حسابك جاهز، ويمكنك أن تتصفح على مهلك. وهذا ما يبدأ به معظم الناس:',
          ],
        ),
        steps(
          ['**Tell us what you like**, so that we show you less of the rest.', '**أخبرنا بما تحب** كي نعرض لك ما يهمك.'],
          ['**Save your address** once, and never type it again.', '**احفظ عنوانك** مرة واحدة ولن تحتاج إلى كتابته ثانية.'],
          [
            '**Choose how we write to you**: by email, by text message, or hardly ever.',
            '**اختر كيف نراسلك**: بالبريد أو بالرسائل النصية أو في أضيق الحدود.',
          ],
        ),
        button(['Set up my account', 'إعداد حسابي'], '/account'),
      ),
      soft(
        heading(3, ['Any question?', 'لديك سؤال؟']),
        text([
          'Just answer this email. A person reads it, and you hear from us within one working day.',
          'ما عليك إلا أن ترد على هذه الرسالة، فهناك من يقرؤها، وسيصلك الجواب خلال يوم عمل واحد.',
        ]),
      ),
    ],
  },
  {
    id: 'verify-address',
    category: 'account',
    names: { en: 'Confirm your email address', ar: 'تأكيد البريد الإلكتروني' },
    subject: ['Please confirm your email address', 'نرجو تأكيد بريدك الإلكتروني'],
    preheader: ['One click, and your account is complete', 'ضغطة واحدة ويكتمل حسابك'],
    bands: [
      band(
        heading(1, ['Is this your address?', 'هل هذا بريدك؟']),
        text(
          ['Hello {{name | there}},', 'مرحبًا {{name | بك}}،'],
          [
            'Somebody, most likely you, opened an account with this email address. Confirm it, so that receipts and notices reach you.',
            'فُتح حساب لدينا بهذا البريد، ونظن أنك من فتحه. أكّده كي تصلك الفواتير والتنبيهات.',
          ],
        ),
        button(['Confirm my address', 'تأكيد بريدي'], '/account/confirm'),
        text([
          'If it was not you, there is nothing to do: without your confirmation the address is not used.',
          'إن لم تكن أنت من فعل ذلك فلا يلزمك شيء، فلن نستخدم هذا البريد ما لم تؤكده.',
        ]),
      ),
    ],
  },
  {
    id: 'password-reset',
    category: 'account',
    names: { en: 'New password', ar: 'كلمة مرور جديدة' },
    subject: ['Choose a new password', 'اختر كلمة مرور جديدة'],
    preheader: ['You asked for it; if not, nothing changes', 'بناءً على طلبك، وإن لم تطلب ذلك فلن يتغير شيء'],
    bands: [
      band(
        heading(1, ['Choose a new password', 'اختر كلمة مرور جديدة']),
        text(
          ['Hello {{name | there}},', 'مرحبًا {{name | بك}}،'],
          [
            'We were asked to let you choose a new password for your account. The page behind the button leads you through it in a minute.',
            'وصلنا طلب لتغيير كلمة مرور حسابك. اضغط الزر وستنتهي من ذلك في دقيقة.',
          ],
        ),
        button(['Choose a password', 'اختيار كلمة المرور'], '/account/password'),
        divider,
        heading(3, ['It was not you?', 'لم تطلب ذلك؟']),
        bullets(
          ['Your password stays as it is until somebody chooses another one.', 'تبقى كلمة مرورك كما هي ما لم تُغيَّر من هذه الصفحة.'],
          ['We never ask for your password by email or by phone.', 'لن نطلب منك كلمة المرور أبدًا، لا بالبريد ولا بالهاتف.'],
        ),
      ),
    ],
  },
  {
    id: 'payment-failed',
    category: 'account',
    names: { en: 'Payment failed', ar: 'تعذّر الدفع' },
    subject: ['Your payment did not go through', 'لم تكتمل عملية الدفع'],
    preheader: ['Nothing is lost: your subscription goes on for seven days', 'لا تقلق، فاشتراكك مستمر سبعة أيام'],
    bands: [
      band(
        heading(1, ['We could not take your payment', 'تعذّر علينا تحصيل الدفعة']),
        text(
          ['Hello {{name | there}},', 'مرحبًا {{name | بك}}،'],
          [
            'Your bank did not let the payment for your subscription through. This happens: cards expire, and limits are reached.',
            'لم يقبل البنك دفعة اشتراكك. وهذا يحدث أحيانًا، كأن تنتهي صلاحية البطاقة أو يُبلغ حدّها.',
          ],
        ),
        button(['Update my card', 'تحديث بطاقتي'], '/account/billing'),
      ),
      beside(
        [
          heading(3, ['What happens now', 'ماذا سيحدث الآن']),
          text([
            'We try again in three days. Until then everything works as before.',
            'سنحاول مرة أخرى بعد ثلاثة أيام، وحتى ذلك الحين لن يتغير شيء.',
          ]),
        ],
        [
          heading(3, ['If you want to stop', 'إن أردت التوقف']),
          text([
            'You can end your subscription at any time on the same page, without a reason.',
            'يمكنك إنهاء اشتراكك في أي وقت من الصفحة نفسها ومن دون ذكر السبب.',
          ]),
        ],
      ),
    ],
  },
]
