package io.karmi.uka.type;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ObjectStreamClass;
import java.io.ObjectStreamConstants;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
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
      assertThat(unbound.forClass()).as("not bound").isNull();
      assertThat(unbound.getSerialVersionUID()).isEqualTo(local.getSerialVersionUID());
      assertThat(StreamClasses.describe(unbound).sameLayout(description)).isTrue();
    }
  }

  @Test
  public void aBoundDescriptorKnowsItsClass() throws Exception {
    for (Class<?> type : CLASSES) {
      ClassDescription description = LocalClass.of(type).description();
      assertThat(bound(new StreamClasses.Level(description, type)).forClass()).isEqualTo(type);
      assertThat(bound(new StreamClasses.Level(description, null)).forClass()).isNull();
    }
  }

  private static ObjectStreamClass bound(StreamClasses.Level... levels) throws Exception {
    return StreamClasses.bound(List.of(levels));
  }

  @Test
  public void aBoundDescriptorKeepsThoseOfItsSuperclasses() throws Exception {
    ClassDescription known = LocalClass.of(Number.class).description();
    FieldDescription[] fields = {
      new FieldDescription('I', "one", "I"),
      new FieldDescription('L', "two", "Ljava/util/List;"),
      new FieldDescription('L', "three", "Ljava/util/List;"),
    };
    ClassDescription unknown =
        new ClassDescription("no.such.Class", 7, ObjectStreamConstants.SC_SERIALIZABLE, fields);
    ObjectStreamClass descriptor =
        bound(
            new StreamClasses.Level(unknown, null),
            new StreamClasses.Level(unknown, null),
            new StreamClasses.Level(known, Number.class));
    List<StreamClasses.Level> levels = StreamClasses.levels(descriptor);
    assertThat(levels)
        .extracting(StreamClasses.Level::type)
        .containsExactly(null, null, Number.class);
    assertThat(levels.get(1).description().sameLayout(unknown)).isTrue();
    assertThat(StreamClasses.local(levels)).isNull();
    assertThat(StreamClasses.local(levels.subList(2, 3))).isSameAs(LocalClass.of(Number.class));
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
