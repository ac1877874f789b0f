package io.karmi.guard;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.Test;

/** Arrays of many dimensions that peers name. */
public class ArrayNamesTest {
  private static final long MOST = 1 << 20;

  @Test
  public void onesOfFewDimensionsAreAlwaysFound() {
    for (int i = 0; i < MOST / 10; i++) {
      String name = "[[Lclass" + i + ";";
      assertThatCode(() -> ArrayNames.check(name)).doesNotThrowAnyException();
    }
  }

  @Test
  public void whatHasRoomOnceIsFoundAgain() throws ClassNotFoundException {
    ArrayNames names = new ArrayNames(MOST);
    names.take("first", 3);
    fill(names);
    names.take("first", 3);
    assertThatThrownBy(() -> names.take("another", 3))
        .isInstanceOf(ClassNotFoundException.class)
        .hasMessageContaining("an array of 3 dimensions");
  }

  @Test
  public void manyDimensionsTakeTheRoomOfManyClasses() {
    assertThatThrownBy(() -> new ArrayNames(MOST).take("deep", 255))
        .isInstanceOf(ClassNotFoundException.class);
  }

  private static void fill(ArrayNames names) {
    try {
      for (int i = 0; i < MOST; i++) {
        names.take("array" + i, 3);
      }
    } catch (ClassNotFoundException e) {
      return;
    }
    throw new AssertionError("no limit");
  }
}
