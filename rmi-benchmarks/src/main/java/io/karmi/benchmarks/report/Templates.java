package io.karmi.benchmarks.report;

import freemarker.template.Configuration;
import freemarker.template.TemplateException;
import freemarker.template.TemplateExceptionHandler;
import java.io.IOException;
import java.io.StringWriter;
import java.util.Locale;
import java.util.Map;

/** The templates beside this class; those that end in {@code ftlh} escape what they print. */
final class Templates {
  private static final Configuration CONFIGURATION = configuration();

  private Templates() {}

  static String fill(String template, Map<String, ?> model) throws IOException {
    StringWriter text = new StringWriter();
    try {
      CONFIGURATION.getTemplate(template).process(model, text);
    } catch (TemplateException e) {
      throw new IOException("cannot fill " + template, e);
    }
    return text.toString();
  }

  private static Configuration configuration() {
    Configuration configuration = new Configuration(Configuration.VERSION_2_3_34);
    configuration.setClassForTemplateLoading(Templates.class, "");
    configuration.setDefaultEncoding("UTF-8");
    configuration.setLocale(Locale.ROOT);
    configuration.setNumberFormat("computer");
    configuration.setTemplateExceptionHandler(TemplateExceptionHandler.RETHROW_HANDLER);
    configuration.setLogTemplateExceptions(false);
    return configuration;
  }
}
