#pragma once
#include <porter_compat/transformation.h>

#include <optional>
#include <stdexcept>
#include <utility>

namespace at {

namespace compat_detail {

// A generator may keep the second of the two numbers that are drawn at once.
template <typename T, typename RNG, typename = void>
struct kept_normal {
  static ::std::optional<T> take(RNG*) { return ::std::nullopt; }
  static void keep(RNG*, T) {}
};

template <typename RNG>
struct kept_normal<double, RNG,
                   ::std::void_t<decltype(::std::declval<RNG&>().next_double_normal_sample())>> {
  static ::std::optional<double> take(RNG* generator) {
    const auto kept = generator->next_double_normal_sample();
    if (!kept) return ::std::nullopt;
    generator->set_next_double_normal_sample(::std::nullopt);
    return *kept;
  }
  static void keep(RNG* generator, double value) { generator->set_next_double_normal_sample(value); }
};

template <typename RNG>
struct kept_normal<float, RNG,
                   ::std::void_t<decltype(::std::declval<RNG&>().next_float_normal_sample())>> {
  static ::std::optional<float> take(RNG* generator) {
    const auto kept = generator->next_float_normal_sample();
    if (!kept) return ::std::nullopt;
    generator->set_next_float_normal_sample(::std::nullopt);
    return *kept;
  }
  static void keep(RNG* generator, float value) { generator->set_next_float_normal_sample(value); }
};

inline void check_parameter(bool good) {
  if (!good) throw ::std::runtime_error("a parameter of the distribution is out of range");
}

template <typename T>
using uniform_of = ::std::conditional_t<::std::is_same_v<T, double>, double, float>;

}  // namespace compat_detail

template <typename T>
struct uniform_int_from_to_distribution {
  uniform_int_from_to_distribution(uint64_t range, int64_t base) : range_(range), base_(base) {}
  template <typename RNG>
  T operator()(RNG* generator) const {
    return range_ >= uint64_t{1} << 28
        ? transformation::uniform_int_from_to<T>(generator->random64(), range_, base_)
        : transformation::uniform_int_from_to<T>(generator->random(), range_, base_);
  }

 private:
  uint64_t range_;
  int64_t base_;
};

template <typename T>
struct uniform_int_full_range_distribution {
  template <typename RNG>
  T operator()(RNG* generator) const {
    return transformation::uniform_int_full_range<T>(generator->random64());
  }
};

template <typename T>
struct uniform_int_distribution {
  template <typename RNG>
  T operator()(RNG* generator) const {
    if constexpr (::std::is_same_v<T, double> || ::std::is_same_v<T, int64_t>) {
      return transformation::uniform_int<T>(generator->random64());
    } else {
      return transformation::uniform_int<T>(generator->random());
    }
  }
};

template <typename T>
struct uniform_real_distribution {
  uniform_real_distribution(T from, T to) : from_(from), to_(to) {
    compat_detail::check_parameter(from <= to);
    compat_detail::check_parameter(to - from <= ::std::numeric_limits<T>::max());
  }
  template <typename RNG>
  dist_acctype<T> operator()(RNG* generator) const {
    if constexpr (::std::is_same_v<T, double>) {
      return transformation::uniform_real<T>(generator->random64(), from_, to_);
    } else {
      return transformation::uniform_real<T>(generator->random(), from_, to_);
    }
  }

 private:
  T from_, to_;
};

// By the method of Box and Muller.
template <typename T>
struct normal_distribution {
  normal_distribution(T mean_in, T stdv_in) : mean(mean_in), stdv(stdv_in) {
    compat_detail::check_parameter(stdv_in >= 0);
  }
  template <typename RNG>
  dist_acctype<T> operator()(RNG* generator) const {
    using N = dist_acctype<T>;
    using Kept = compat_detail::kept_normal<N, RNG>;
    if (const auto kept = Kept::take(generator)) {
      return transformation::normal(*kept, static_cast<N>(mean), static_cast<N>(stdv));
    }
    const uniform_real_distribution<T> uniform(0, 1);
    const N angle = 2 * c10::pi<N> * uniform(generator);
    const N radius = ::std::sqrt(N(-2) * ::std::log1p(-uniform(generator)));
    Kept::keep(generator, radius * ::std::sin(angle));
    return transformation::normal(radius * ::std::cos(angle), static_cast<N>(mean), static_cast<N>(stdv));
  }

 private:
  T mean, stdv;
};

template <typename T>
struct bernoulli_distribution {
  explicit bernoulli_distribution(T p_in) : p(p_in) {
    compat_detail::check_parameter(p_in >= 0 && p_in <= 1);
  }
  template <typename RNG>
  T operator()(RNG* generator) const {
    const uniform_real_distribution<compat_detail::uniform_of<T>> uniform(0, 1);
    return transformation::bernoulli<T>(uniform(generator), p);
  }

 private:
  T p;
};

template <typename T>
struct geometric_distribution {
  explicit geometric_distribution(T p_in) : p(p_in) {
    compat_detail::check_parameter(p_in > 0 && p_in < 1);
  }
  template <typename RNG>
  T operator()(RNG* generator) const {
    const uniform_real_distribution<compat_detail::uniform_of<T>> uniform(0, 1);
    return transformation::geometric<T>(uniform(generator), p);
  }

 private:
  T p;
};

template <typename T>
struct exponential_distribution {
  explicit exponential_distribution(T lambda_in) : lambda(lambda_in) {}
  template <typename RNG>
  T operator()(RNG* generator) const {
    const uniform_real_distribution<T> uniform(0, 1);
    return transformation::exponential<T>(uniform(generator), lambda);
  }

 private:
  T lambda;
};

template <typename T>
struct cauchy_distribution {
  cauchy_distribution(T median_in, T sigma_in) : median(median_in), sigma(sigma_in) {}
  template <typename RNG>
  T operator()(RNG* generator) const {
    const uniform_real_distribution<T> uniform(0, 1);
    return transformation::cauchy<T>(uniform(generator), median, sigma);
  }

 private:
  T median, sigma;
};

template <typename T>
struct lognormal_distribution {
  lognormal_distribution(T mean_in, T stdv_in) : mean(mean_in), stdv(stdv_in) {
    compat_detail::check_parameter(stdv_in > 0);
  }
  template <typename RNG>
  T operator()(RNG* generator) const {
    const normal_distribution<T> normal(mean, stdv);
    return transformation::log_normal<T>(normal(generator));
  }

 private:
  T mean, stdv;
};

}  // namespace at
