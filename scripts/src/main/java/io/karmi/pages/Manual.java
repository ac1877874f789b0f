package io.karmi.pages;

import java.util.List;
import java.util.Locale;

/** A manual page in the macros of {@code man(7)}. */
final class Manual {
  private Manual() {}

  /** The page of a command, with a section for each command below it. */
  static String of(Help help, List<Help> below) {
    StringBuilder page = new StringBuilder();
    page.append(".TH ").append(help.name().toUpperCase(Locale.ROOT)).append(" 1 \"\" KaRMI\n");
    page.append(".SH NAME\n").append(help.name()).append(" \\- ");
    page.append(escaped(lowered(help.summary()))).append('\n');
    page.append(".SH SYNOPSIS\n");
    synopsis(page, help);
    page.append(".SH DESCRIPTION\n");
    blocks(page, help);
    for (Help each : below) {
      page.append(".SH ").append(each.name().toUpperCase(Locale.ROOT)).append('\n');
      synopsis(page, each);
      blocks(page, each);
    }
    return page.toString();
  }

  private static String lowered(String text) {
    return text.isEmpty()
        ? text
        : text.substring(0, 1).toLowerCase(Locale.ROOT) + text.substring(1);
  }

  private static void synopsis(StringBuilder page, Help help) {
    page.append(".nf\n");
    help.usage().forEach(line -> page.append(line(line)));
    page.append(".fi\n");
  }

  private static void blocks(StringBuilder page, Help help) {
    for (List<String> block : help.blocks()) {
      List<Help.Explained> options = Help.explained(block);
      if (options.isEmpty()) {
        page.append(".PP\n.nf\n");
        block.forEach(line -> page.append(line(line)));
        page.append(".fi\n");
      }
      for (Help.Explained each : options) {
        page.append(".TP\n\\fB").append(escaped(each.option())).append("\\fR\n");
        page.append(line(each.text().isEmpty() ? "see above" : each.text()));
      }
    }
  }

  /** A line of text; a control character at its beginning means nothing. */
  private static String line(String text) {
    String escaped = escaped(text.stripTrailing());
    return (escaped.startsWith(".") || escaped.startsWith("'") ? "\\&" : "") + escaped + "\n";
  }

  private static String escaped(String text) {
    return text.replace("\\", "\\e").replace("-", "\\-");
  }
}
