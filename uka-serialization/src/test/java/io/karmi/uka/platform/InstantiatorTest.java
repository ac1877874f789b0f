package io.karmi.uka.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.Externalizable;
import java.io.ObjectInput;
import java.io.ObjectOutput;
import java.io.Serializable;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.List;
import org.junit.Test;

public class InstantiatorTest {
  /** Often enough for code to be generated. */
  private static final int MANY = 3_000;

  @Test
  public void noConstructorOfASerializableClassRuns() throws Exception {
    Plain plain = (Plain) Instantiator.of(Plain.class).newInstance();
    assertThat(plain.value).as("set by the constructor and an initialiser").isZero();
    assertThat(((ArrayList<?>) Instantiator.of(ArrayList.class).newInstance()))
        .isInstanceOf(ArrayList.class);
  }

  @Test
  public void theConstructorOfTheFirstNonSerializableSuperclassRuns() throws Exception {
    int before = Base.instances;
    Derived derived = (Derived) Instantiator.of(Derived.class).newInstance();
    assertThat(derived.fromBase).isEqualTo(17);
    assertThat(derived.fromDerived).isZero();
    assertThat(Base.instances).isEqualTo(before + 1);
  }

  @Test
  public void whatThatConstructorThrowsIsReported() {
    assertThatThrownBy(() -> Instantiator.of(Failing.class).newInstance())
        .isInstanceOf(InvocationTargetException.class)
        .hasRootCauseMessage("from the constructor");
  }

  @Test
  public void aMissingConstructorMeansNoInstantiator() {
    assertThat(Instantiator.of(Orphan.class)).isNull();
  }

  @Test
  public void anAbstractClassHasNoInstances() {
    assertThatThrownBy(() -> Instantiator.of(Abstract.class).newInstance())
        .isInstanceOf(ReflectiveOperationException.class);
  }

  @Test
  public void thePublicConstructorOfAnExternalizableClassRunsEachTime() throws Exception {
    Instantiator instantiator = Instantiator.ofExternalizable(Outer.class);
    int before = Outer.instances;
    for (int i = 1; i <= MANY; i++) {
      assertThat(instantiator.newInstance()).isExactlyInstanceOf(Outer.class);
      assertThat(Outer.instances).isEqualTo(before + i);
    }
  }

  @Test
  public void whatThatOneThrowsIsReportedEachTime() {
    for (Class<?> type : List.of(FailingOuter.class, AbstractOuter.class)) {
      Instantiator instantiator = Instantiator.ofExternalizable(type);
      Class<?> first = failure(instantiator).getClass();
      for (int i = 0; i < MANY; i++) {
        assertThat(failure(instantiator)).isExactlyInstanceOf(first);
      }
    }
    assertThat(failure(Instantiator.ofExternalizable(FailingOuter.class)))
        .isInstanceOf(InvocationTargetException.class)
        .hasRootCauseMessage("from the constructor");
  }

  private static Throwable failure(Instantiator instantiator) {
    return catchThrowable(instantiator::newInstance);
  }

  /** An externalizable class. */
  public static class Outer implements Externalizable {
    static int instances;

    public Outer() {
      instances++;
    }

    @Override
    public void writeExternal(ObjectOutput out) {}

    @Override
    public void readExternal(ObjectInput in) {}
  }

  /** One whose constructor fails. */
  public static class FailingOuter extends Outer {
    public FailingOuter() {
      throw new IllegalStateException("from the constructor");
    }
  }

  /** One without instances. */
  public abstract static class AbstractOuter extends Outer {
    public AbstractOuter() {}
  }

  static class Plain implements Serializable {
    int value = 5;

    Plain() {
      value++;
    }
  }

  static class Base {
    static int instances;
    final int fromBase;

    Base() {
      fromBase = 17;
      instances++;
    }
  }

  static class Derived extends Base implements Serializable {
    final int fromDerived = Integer.parseInt("3");
  }

  static class Thrower {
    Thrower() {
      throw new IllegalStateException("from the constructor");
    }
  }

  static class Failing extends Thrower implements Serializable {
    Failing() {}
  }

  static class NeedsArgument {
    NeedsArgument(int argument) {
      assertThat(argument).isPositive();
    }
  }

  static class Orphan extends NeedsArgument implements Serializable {
    Orphan() {
      super(1);
    }
  }

  abstract static class Abstract implements Serializable {}
}
