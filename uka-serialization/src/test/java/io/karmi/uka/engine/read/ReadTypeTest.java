package io.karmi.uka.engine.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.uka.type.LocalClass;
import java.io.InvalidObjectException;
import java.util.concurrent.TimeUnit;
import org.junit.Test;

public class ReadTypeTest {
  @Test
  public void aConstantOfAnotherNameTakesThePlaceOfTheOneThatHadItsNumber() throws Exception {
    ReadType type = new ReadType();
    LocalClass local = LocalClass.of(TimeUnit.class);
    type.bind(local.description(), TimeUnit.class, null, null);
    type.constants().names().add("DAYS");
    type.constants().names().add("HOURS");
    assertThat(type.constants().constant(TimeUnit.class, 1)).isSameAs(TimeUnit.HOURS);
    assertThat(type.constants().known()).containsExactly(null, TimeUnit.HOURS);
    type.constants().names().set(1, "SECONDS");
    assertThat(type.constants().constant(TimeUnit.class, 1)).isSameAs(TimeUnit.SECONDS);
    type.constants().names().set(1, "YEARS");
    assertThatThrownBy(() -> type.constants().constant(TimeUnit.class, 1))
        .isInstanceOf(InvalidObjectException.class);
    assertThat(type.constants().known())
        .as("no number of a name that there is not")
        .containsOnlyNulls();
  }
}
