package io.karmi.jmx;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import javax.management.AttributeValueExp;
import javax.management.ObjectName;
import javax.management.Query;
import javax.management.QueryExp;
import javax.management.StringValueExp;
import javax.management.ValueExp;
import org.junit.Test;

/** The same answers as the JDK's class of the same name, in less time. */
public class MatchQueryExpTest {
  private static final class Text extends AttributeValueExp {
    private static final long serialVersionUID = 1;

    private final String text;

    Text(String text) {
      super("text");
      this.text = text;
    }

    @Override
    public ValueExp apply(ObjectName name) {
      return new StringValueExp(text);
    }
  }

  private static String answer(QueryExp query) throws Exception {
    try {
      return Boolean.toString(query.apply(ObjectName.WILDCARD));
    } catch (StringIndexOutOfBoundsException e) {
      return "no pattern";
    }
  }

  private static String random(Random random, String of, int most) {
    StringBuilder text = new StringBuilder();
    for (int left = random.nextInt(most + 1); left > 0; left--) {
      text.append(of.charAt(random.nextInt(of.length())));
    }
    return text.toString();
  }

  @Test
  public void everyPatternMatchesWhatItMatchesForTheJdk() throws Exception {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int i = 0; i < 200_000; i++) {
      String pattern = random(random, i % 2 == 0 ? "**??abc" : "*?[]!-\\abc", 8);
      String text = random(random, i % 3 == 0 ? "[]!-\\abc" : "abc", 8);
      Text attribute = new Text(text);
      assertThat(answer(new MatchQueryExp(attribute, pattern)))
          .as("'%s' like '%s', seed %d", text, pattern, seed)
          .isEqualTo(answer(Query.match(attribute, Query.value(pattern))));
    }
  }

  @Test(timeout = 20_000)
  public void manyAsterisksTakeNoMoreTimeThanTextAndPatternArePairs() throws Exception {
    Text attribute = new Text("a".repeat(10_000));
    assertThat(answer(new MatchQueryExp(attribute, "*a".repeat(500) + "*b"))).isEqualTo("false");
    assertThat(answer(new MatchQueryExp(attribute, "*a".repeat(500) + "*"))).isEqualTo("true");
  }
}
