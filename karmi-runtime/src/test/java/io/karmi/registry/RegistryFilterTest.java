package io.karmi.registry;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ObjectInputFilter;
import java.io.ObjectInputFilter.Status;
import org.junit.Test;

/** What a registry lets in. */
public class RegistryFilterTest {
  private static Status ask(String pattern, Class<?> type, long arrayLength, long depth) {
    return RegistryFilter.of(pattern).checkInput(new Info(type, arrayLength, depth, 1, 1));
  }

  @Test
  public void valuesAndStubsAreAllowed() {
    assertThat(ask(null, String.class, -1, 1)).isEqualTo(Status.ALLOWED);
    assertThat(ask(null, Long.class, -1, 1)).isEqualTo(Status.ALLOWED);
    assertThat(ask(null, java.rmi.Remote.class, -1, 1)).isEqualTo(Status.ALLOWED);
    assertThat(ask(null, java.util.ArrayList.class, -1, 1)).isEqualTo(Status.REJECTED);
  }

  @Test
  public void patternComesFirst() {
    assertThat(ask("!java.lang.Long", Long.class, -1, 1)).isEqualTo(Status.REJECTED);
    assertThat(ask("java.util.*", java.util.ArrayList.class, -1, 1)).isEqualTo(Status.ALLOWED);
  }

  @Test
  public void patternCountsForElementsNotForTheirArray() {
    assertThat(ask("!java.lang.Long", Long[].class, 4, 1)).isEqualTo(Status.UNDECIDED);
  }

  @Test
  public void limitsCountForArrays() {
    assertThat(ask("maxarray=3", Long[].class, 4, 1)).isEqualTo(Status.REJECTED);
    assertThat(ask("maxdepth=3", Long[].class, 1, 4)).isEqualTo(Status.REJECTED);
    assertThat(ask(null, Object[].class, 1_000_001, 1)).isEqualTo(Status.REJECTED);
    assertThat(ask(null, Object[].class, 1_000_000, 1)).isEqualTo(Status.UNDECIDED);
  }

  private record Info(
      Class<?> serialClass, long arrayLength, long depth, long references, long streamBytes)
      implements ObjectInputFilter.FilterInfo {}
}
