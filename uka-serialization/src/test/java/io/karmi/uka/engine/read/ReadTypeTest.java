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
    type.constantNames().add("DAYS");
    type.constantNames().add("HOURS");
    assertThat(type.constant(1)).isSameAs(TimeUnit.HOURS);
    assertThat(type.constants()).containsExactly(null, TimeUnit.HOURS);
    type.constantNames().set(1, "SECONDS");
    assertThat(type.constant(1)).isSameAs(TimeUnit.SECONDS);
    type.constantNames().set(1, "YEARS");
    assertThatThrownBy(() -> type.constant(1)).isInstanceOf(InvalidObjectException.class);
    assertThat(type.constants()).as("no number of a name that there is not").containsOnlyNulls();
  }
}
