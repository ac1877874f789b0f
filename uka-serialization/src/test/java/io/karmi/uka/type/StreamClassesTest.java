package io.karmi.uka.type;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ObjectStreamClass;
import java.math.BigDecimal;
import java.util.HashMap;
import org.junit.Test;

/** Descriptors of the JDK, made and taken apart. */
public class StreamClassesTest {
  private static final Class<?>[] CLASSES = {
    HashMap.class, BigDecimal.class, int[].class, Thread.State.class, Exception.class
  };

  @Test
  public void aDescriptionBecomesADescriptorAndBack() throws Exception {
    for (Class<?> type : CLASSES) {
      ObjectStreamClass local = ObjectStreamClass.lookupAny(type);
      ClassDescription description = StreamClasses.describe(local);
      ObjectStreamClass unbound = StreamClasses.unbound(description);
      assertThat(unbound.getName()).isEqualTo(type.getName());
      assertThat(unbound.forClass()).as("nobody has bound it").isNull();
      assertThat(unbound.getSerialVersionUID()).isEqualTo(local.getSerialVersionUID());
      assertThat(StreamClasses.describe(unbound).sameLayout(description)).isTrue();
    }
  }

  @Test
  public void aBoundDescriptorKnowsItsClass() throws Exception {
    for (Class<?> type : CLASSES) {
      ClassDescription description = LocalClass.of(type).description();
      assertThat(StreamClasses.bound(description, type).forClass()).isEqualTo(type);
      assertThat(StreamClasses.bound(description, null).forClass()).isNull();
    }
  }

  @Test
  public void fieldsAreInCanonicalOrder() {
    ClassDescription description = LocalClass.of(HashMap.class).description();
    assertThat(description.hasWriteMethod()).isTrue();
    assertThat(description.fields)
        .extracting(FieldDescription::name)
        .containsExactly("loadFactor", "threshold");
    assertThat(description.primitiveBytes).isEqualTo(8);
  }
}
